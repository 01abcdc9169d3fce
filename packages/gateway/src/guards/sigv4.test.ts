import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { encodeRfc3986, signRequest, type UnsignedRequest } from '../testing/sign-request.ts';
import { readSignature } from './sigv4.ts';
import { SignatureError, type SignatureErrorReason } from './sigv4-authorization.ts';
import type { RawRequest } from './sigv4-canonical.ts';

const SCOPE = { region: 'us-east-1', service: 'poolgate' };
const KEY = { accessKeyId: 'ops1', secretAccessKey: 'not-a-secret-but-long-enough-0123456789' };
const NOW_MS = Date.parse('2026-01-31T12:00:00Z');

const PLAN: UnsignedRequest = {
  method: 'POST',
  path: '/admin/users',
  query: { limit: '5' },
  headers: { 'content-type': 'application/json' },
  body: '{"username":"ada"}',
};

const sign = (plan: UnsignedRequest, changed: Partial<typeof SCOPE> = {}) =>
  signRequest(plan, KEY, { ...SCOPE, ...changed }, NOW_MS);

/** The reason for the refusal, `wrong key` if the signature does not match, or `good`. */
function verdict(request: RawRequest, nowMs = NOW_MS, scope = SCOPE): SignatureErrorReason | 'wrong key' | 'good' {
  try {
    return readSignature(request, scope, nowMs).isSignedWith(KEY.secretAccessKey) ? 'good' : 'wrong key';
  } catch (error) {
    assert.ok(error instanceof SignatureError, String(error));
    return error.reason;
  }
}

function withHeader(request: RawRequest, name: string, change: (value: string) => readonly string[]): RawRequest {
  const rawHeaders = request.rawHeaders.flatMap((text, index, all) => {
    if (index % 2 === 1) return [];
    const value = all[index + 1] ?? '';
    return text.toLowerCase() === name ? change(value).flatMap((each) => [text, each]) : [text, value];
  });
  return { ...request, rawHeaders };
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const segment = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((text) => text.isWellFormed() && !/^\.+$/.test(text));
const plans: fc.Arbitrary<UnsignedRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.map(encodeRfc3986).join('/')}`),
  query: fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__' && !/^x-amz-/i.test(name)),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(fc.string(), { minLength: 1, maxLength: 3 })),
    { maxKeys: 4 },
  ),
  headers: fc.dictionary(
    word.map((name) => `x-amz-${name}`).filter((name) => name !== 'x-amz-date'),
    fc.stringMatching(/^[ -~]{0,20}$/),
    { maxKeys: 3 },
  ),
  body: fc.string({ unit: 'grapheme' }),
});

describe("requests of the SDK's signer", () => {
  test('all signed requests are accepted', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        assert.equal(verdict(await sign(plan)), 'good');
      }),
      { numRuns: 300 },
    );
  });

  const changes: Readonly<Record<string, (request: RawRequest) => RawRequest>> = {
    method: (request) => ({ ...request, method: request.method === 'GET' ? 'POST' : 'GET' }),
    path: (request) => ({ ...request, target: request.target.replace('/', '/x') }),
    'path, a dot segment': (request) => ({ ...request, target: `/x/..${request.target}` }),
    'path, an empty segment': (request) => ({ ...request, target: `/${request.target}` }),
    query: (request) => ({ ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}x=1` }),
    body: (request) => ({ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }),
    host: (request) => withHeader(request, 'host', (value) => [`${value}1`]),
    'host, twice': (request) => withHeader(request, 'host', (value) => [value, value]),
    'host, gone': (request) => withHeader(request, 'host', () => []),
    date: (request) => withHeader(request, 'x-amz-date', () => ['20260131T120001Z']),
    'one more x-amz header': (request) => ({ ...request, rawHeaders: [...request.rawHeaders, 'X-Amz-Target', 'x'] }),
    'the signature': (request) =>
      withHeader(request, 'authorization', (value) => [value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]),
  };

  for (const [name, change] of Object.entries(changes)) {
    test(`refuses a change after signing: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          assert.notEqual(verdict(change(await sign(plan))), 'good');
        }),
        { numRuns: 40 },
      );
    });
  }

  test('refuses the secret of another key', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.string(), async (plan, secret) => {
        assert.ok(!readSignature(await sign(plan), SCOPE, NOW_MS).isSignedWith(secret));
      }),
      { numRuns: 40 },
    );
  });

  test('a path that is encoded twice differs from one that is encoded once', async () => {
    // The SDK signs `/a%20b` as `/a%2520b`, and curl signs the path `/a%2520b` in the same way.
    const request = await sign({ ...PLAN, path: '/a%20b', query: {} });
    assert.equal(verdict(request), 'good');
    assert.equal(verdict({ ...request, target: '/a%2520b' }), 'wrong key');
  });

  test('refuses a signed header that is changed, repeated or removed', async () => {
    const request = await sign(PLAN);
    assert.equal(verdict(withHeader(request, 'content-type', () => ['text/plain'])), 'wrong key');
    assert.equal(verdict(withHeader(request, 'content-type', (value) => [value, value])), 'wrong key');
    assert.equal(verdict(withHeader(request, 'content-type', () => [])), 'unsigned_part');
  });

  test('ignores a header that is neither signed nor x-amz-*', async () => {
    const request = await sign(PLAN);
    assert.equal(
      verdict({ ...request, rawHeaders: [...request.rawHeaders, 'User-Agent', 'x', 'Via', '1.1 y'] }),
      'good',
    );
  });

  test('the order of query parameters does not matter, their text does', async () => {
    const request = await sign({ ...PLAN, query: { a: '1', b: '2 3' } });
    assert.equal(verdict({ ...request, target: '/admin/users?b=2%203&a=1' }), 'good');
    assert.equal(verdict({ ...request, target: '/admin/users?b=2+3&a=1' }), 'good');
    assert.equal(verdict({ ...request, target: '/admin/users?b=2%2B3&a=1' }), 'wrong key');
    assert.equal(verdict({ ...request, target: '/admin/users?a=2%203&b=1' }), 'wrong key');
    assert.equal(verdict({ ...request, target: '/admin/users?a=1&b=2%203&b=%' }), 'wrong key');
  });

  test('refuses a wrong region, service or date in the credential scope', async () => {
    assert.equal(verdict(await sign(PLAN, { region: 'eu-west-1' })), 'misscoped');
    assert.equal(verdict(await sign(PLAN, { service: 'cognito-idp' })), 'misscoped');
    const request = await sign(PLAN);
    assert.equal(verdict(request, NOW_MS, { ...SCOPE, service: 'cognito-idp' }), 'misscoped');
    const otherDay = withHeader(request, 'authorization', (value) => [value.replace('/20260131/', '/20260130/')]);
    assert.equal(verdict(otherDay), 'misscoped');
  });

  test('refuses a date more than five minutes off, in either direction', async () => {
    const request = await sign(PLAN);
    assert.throws(() => readSignature(request, SCOPE, NOW_MS + 301_000), {
      message: 'Signature expired: 20260131T120000Z is now earlier than 20260131T120001Z (20260131T120501Z - 5 min.)',
    });
    assert.equal(verdict(request, NOW_MS + 300_000), 'good');
    assert.equal(verdict(request, NOW_MS + 300_001), 'expired');
    assert.equal(verdict(request, NOW_MS - 300_000), 'good');
    assert.throws(() => readSignature(request, SCOPE, NOW_MS - 300_001), {
      message:
        'Signature not yet current: 20260131T120000Z is still later than 20260131T115959Z (20260131T115459Z + 5 min.)',
    });
  });

  test('a signature is valid for its own region, or for any if configured', async () => {
    const request = await sign(PLAN, { region: 'eu-west-1' });
    const signed = readSignature(request, { ...SCOPE, region: undefined }, NOW_MS);
    assert.deepEqual([signed.accessKeyId, signed.region], ['ops1', 'eu-west-1']);
    assert.ok(signed.isSignedWith(KEY.secretAccessKey));
  });

  test('non-ASCII text is signed as the bytes that were sent', async () => {
    const { rawHeaders, ...request } = await sign({ ...PLAN, headers: { 'x-amz-note': 'Zoë' } });
    const sent = rawHeaders.map((text) => Buffer.from(text, 'utf8').toString('latin1'));
    assert.equal(verdict({ ...request, rawHeaders: sent }), 'good');
  });

  test('the Date header can contain the date of a request', () => {
    const date = 'Sat, 31 Jan 2026 12:00:00 GMT';
    const digest = (data: string) => createHash('sha256').update(data).digest('hex');
    const canonical = `GET\n/admin/users\n\ndate:${date}\nhost:localhost\n\ndate;host\n${digest('')}`;
    const scope = '20260131/us-east-1/poolgate/aws4_request';
    const key = scope
      .split('/')
      .reduce<string | Buffer>(
        (before, part) => createHmac('sha256', before).update(part).digest(),
        `AWS4${KEY.secretAccessKey}`,
      );
    const text = `AWS4-HMAC-SHA256\n20260131T120000Z\n${scope}\n${digest(canonical)}`;
    const signature = createHmac('sha256', key).update(text).digest('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=ops1/${scope}, SignedHeaders=date;host, Signature=${signature}`;
    const rawHeaders = ['Host', 'localhost', 'Date', date, 'Authorization', authorization];
    const request = { method: 'GET', target: '/admin/users', rawHeaders, body: Buffer.alloc(0) };
    assert.equal(verdict(request), 'good');
    assert.equal(verdict({ ...request, target: '/admin/groups' }), 'wrong key');
  });

  test('refuses an unsigned payload', async () => {
    for (const declared of ['UNSIGNED-PAYLOAD', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', '']) {
      const request = await sign({ ...PLAN, headers: { 'x-amz-content-sha256': declared } });
      assert.equal(verdict(request), 'mismatch');
    }
  });

  test('refuses a signature in the query string', async () => {
    const signer = new SignatureV4({ ...SCOPE, credentials: KEY, sha256: Sha256 });
    const request = new HttpRequest({ method: 'GET', path: '/admin/users', headers: { host: 'localhost:3000' } });
    const { query, headers } = await signer.presign(request, { signingDate: new Date(NOW_MS) });
    const target = `/admin/users?${new URLSearchParams(query as Record<string, string>)}`;
    const presigned = { method: 'GET', target, rawHeaders: Object.entries(headers).flat(), body: Buffer.alloc(0) };
    assert.equal(verdict(presigned), 'missing');
    const { rawHeaders } = await sign(PLAN);
    assert.equal(verdict({ ...presigned, rawHeaders }), 'malformed');
  });
});

describe('refuses headers that are not a signature', () => {
  const replaced = async (change: (value: string) => readonly string[]) =>
    verdict(withHeader(await sign(PLAN), 'authorization', change));

  test('refuses a missing or duplicate signature', async () => {
    assert.equal(await replaced(() => []), 'missing');
    assert.equal(await replaced((value) => [value, value]), 'malformed');
    assert.equal(await replaced((value) => ['Bearer x', value]), 'malformed');
  });

  const PARAMETERS = 'requires exactly the parameters Credential, SignedHeaders, Signature';
  const CREDENTIAL = "has no valid 'Credential' parameter";
  const SIGNATURE = "has no valid 'Signature' parameter";
  const HEADERS = "has no valid 'SignedHeaders' parameter: lower case, sorted, each name once";
  const broken: readonly (readonly [string, (value: string) => string, fault: string])[] = [
    [
      'another scheme',
      (value) => value.replace('AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256'),
      'does not use AWS4-HMAC-SHA256',
    ],
    ['no parameters', () => 'AWS4-HMAC-SHA256 ', PARAMETERS],
    ['no credential', (value) => value.replace(/Credential=[^,]*, /, ''), PARAMETERS],
    ['something else in place of the credential', (value) => value.replace('Credential=', 'Credentials='), PARAMETERS],
    ['something else in place of the headers', (value) => value.replace('SignedHeaders=', 'Headers='), PARAMETERS],
    ['something else in place of the signature', (value) => value.replace('Signature=', 'Signatures='), PARAMETERS],
    ['an empty credential', (value) => value.replace(/Credential=[^,]*/, 'Credential='), PARAMETERS],
    ['an empty signature', (value) => value.replace(/Signature=.*/, 'Signature='), PARAMETERS],
    ['an empty access key id is no key', (value) => value.replace('Credential=ops1/', 'Credential='), CREDENTIAL],
    ['another terminator', (value) => value.replace('aws4_request', 'aws5_request'), CREDENTIAL],
    ['no signed headers', (value) => value.replace(/SignedHeaders=[^,]*/, 'SignedHeaders='), PARAMETERS],
    ['an unknown parameter', (value) => `${value}, Extra=1`, PARAMETERS],
    ['a parameter twice', (value) => `${value}, ${value.slice(value.indexOf('Signature='))}`, 'has a parameter twice'],
    ['a short signature', (value) => value.slice(0, -2), SIGNATURE],
    ['an upper-case signature', (value) => value.replace(/[0-9a-f]{64}$/, 'A'.repeat(64)), SIGNATURE],
    ['signed headers in upper case', (value) => value.replace('content-type;', 'Content-Type;'), HEADERS],
    ['signed headers out of order', (value) => value.replace('content-type;host', 'host;content-type'), HEADERS],
    ['a signed header twice', (value) => value.replace('host;', 'host;host;'), HEADERS],
  ];
  for (const [name, change, fault] of broken) {
    test(name, async () => {
      const request = withHeader(await sign(PLAN), 'authorization', (value) => [change(value)]);
      assert.equal(verdict(request), 'malformed');
      assert.throws(() => readSignature(request, SCOPE, NOW_MS), { message: `Authorization header ${fault}.` });
    });
  }

  test('an access key ID with slashes is read completely', async () => {
    const request = withHeader(await sign(PLAN), 'authorization', (value) => [value.replace('ops1/', 'a/b=c/')]);
    assert.equal(readSignature(request, SCOPE, NOW_MS).accessKeyId, 'a/b=c');
  });

  test('requires the host, the date and x-amz headers to be signed', async () => {
    for (const name of ['host;', ';x-amz-date', ';x-amz-content-sha256']) {
      assert.equal(await replaced((value) => [value.replace(name, '')]), 'unsigned_part', name);
    }
  });

  test('refuses a missing or unreadable date', async () => {
    const request = await sign(PLAN);
    for (const date of ['', 'yesterday', '20261399T990000Z', '2026-01-31T12:00:00Z']) {
      assert.equal(verdict(withHeader(request, 'x-amz-date', () => [date])), 'malformed', date);
    }
    assert.equal(verdict(withHeader(request, 'x-amz-date', () => [])), 'malformed');
    assert.equal(verdict(withHeader(request, 'x-amz-date', (value) => [value, value])), 'malformed');
  });

  test('refuses any text at all, and never fails internally', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.array(fc.string()), (authorization, target, others) => {
        const rawHeaders = ['Authorization', `AWS4-HMAC-SHA256 ${authorization}`, ...others];
        assert.notEqual(verdict({ method: 'GET', target, rawHeaders, body: Buffer.alloc(0) }), 'good');
      }),
    );
  });
});
