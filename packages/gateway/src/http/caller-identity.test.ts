import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import { createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';
import { signRequest } from '../testing/sign-request.ts';
import { createServer } from './server.ts';

const FORM = 'application/x-www-form-urlencoded; charset=utf-8';
const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';

async function serve(accountId?: string) {
  const deps = createTestDeps(
    { provider: createTestProvider(() => [], {}) },
    accountId === undefined ? {} : { accountId },
  );
  const app = await createServer(deps);
  const key = await createAdminKey(deps, { label: 'terraform', scopes: ['users:read'], lifetimeSeconds: 3600 });
  return {
    key,
    async ask(secret = key.secret, { service = 'sts', region = 'us-east-1', body = BODY } = {}) {
      const plan = { method: 'POST', path: '/', query: {}, headers: { 'content-type': FORM }, body };
      const credentials = { accessKeyId: key.id, secretAccessKey: secret };
      const { rawHeaders } = await signRequest(plan, credentials, { service, region }, deps.clock.now());
      const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
      return app.inject({ method: 'POST', url: '/', headers: Object.fromEntries(pairs), payload: body });
    },
    askUnsigned: (payload = BODY) =>
      app.inject({ method: 'POST', url: '/', headers: { 'content-type': FORM }, payload }),
  };
}

test('a signed caller gets the account and the key, for any signing region', async () => {
  const { key, ask } = await serve('123456789012');
  for (const region of ['us-east-1', 'ap-south-2']) {
    const answer = await ask(key.secret, { region });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(answer.headers['content-type'], 'text/xml');
    assert.match(answer.body, new RegExp(`<Arn>arn:aws:iam::123456789012:user/poolgate/${key.id}</Arn>`));
    assert.match(answer.body, /<Account>123456789012<\/Account>/);
  }
  assert.match((await (await serve()).ask()).body, /<Account>000000000000<\/Account>/);
});

test('a caller without a valid signature for this service gets nothing', async () => {
  const { ask, askUnsigned } = await serve();
  const refusals = [
    ['MissingAuthenticationToken', await askUnsigned()],
    ['SignatureDoesNotMatch', await ask('another-secret')],
    ['SignatureDoesNotMatch', await ask(undefined, { service: 'cognito-idp' })],
  ] as const;
  for (const [code, answer] of refusals) {
    assert.equal(answer.statusCode, 403);
    assert.match(answer.body, new RegExp(`<Code>${code}</Code>`));
    assert.ok(!answer.body.includes('arn:aws:iam'));
  }
});

test('other forms are refused as before', async () => {
  const { ask, askUnsigned } = await serve();
  for (const answer of [
    await askUnsigned('a=b'),
    await ask(undefined, { body: 'Action=GetSessionToken&Version=2011-06-15' }),
  ]) {
    assert.equal(answer.json().__type, 'SerializationException');
  }
});
