import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignature } from './sigv4.ts';

/**
 * Cases of Amazon's published Signature Version 4 test suite, with one key, date and scope.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
const SUITE_SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const SUITE_DATE = ['X-Amz-Date', '20150830T123600Z'];
const SUITE_HOST = ['Host', 'example.amazonaws.com'];

interface Vector {
  readonly request: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly signedHeaders: string;
  readonly signature: string;
}

const SUITE: Readonly<Record<string, Vector>> = {
  'get-vanilla': {
    request: 'GET /',
    signedHeaders: 'host;x-amz-date',
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  'get-unreserved': {
    request: 'GET /-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    signedHeaders: 'host;x-amz-date',
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  'get-vanilla-query-order-key-case': {
    request: 'GET /?Param2=value2&Param1=value1',
    signedHeaders: 'host;x-amz-date',
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  'get-vanilla-empty-query-key': {
    request: 'GET /?Param1=value1',
    signedHeaders: 'host;x-amz-date',
    signature: 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  },
  'get-header-value-trim': {
    request: 'GET /',
    headers: ['My-Header1', ' value1', 'My-Header2', ' "a   b   c"'],
    signedHeaders: 'host;my-header1;my-header2;x-amz-date',
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  'get-header-value-order': {
    request: 'GET /',
    headers: ['My-Header1', 'value4', 'My-Header1', 'value1', 'My-Header1', 'value3', 'My-Header1', 'value2'],
    signedHeaders: 'host;my-header1;x-amz-date',
    signature: '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  },
  'get-header-key-duplicate': {
    request: 'GET /',
    headers: ['My-Header1', 'value2', 'My-Header1', 'value2', 'My-Header1', 'value1'],
    signedHeaders: 'host;my-header1;x-amz-date',
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  'post-vanilla': {
    request: 'POST /',
    signedHeaders: 'host;x-amz-date',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  'post-x-www-form-urlencoded': {
    request: 'POST /',
    headers: ['Content-Type', 'application/x-www-form-urlencoded'],
    body: 'Param1=value1',
    signedHeaders: 'content-type;host;x-amz-date',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
};

for (const [name, vector] of Object.entries(SUITE)) {
  test(`the case ${name} of Amazon's test suite`, () => {
    const credential = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request';
    assert.ok(verifies(vector, credential, [...SUITE_HOST, ...SUITE_DATE], SUITE_SECRET));
  });
}

/** Requests recorded from curl 7.88.1 with `--aws-sigv4 aws:amz:us-east-1:poolgate`. */
const CURL_SECRET = '0123456789abcdef0123456789abcdef';
const CURL_HEADERS = ['Host', '127.0.0.1:18765', 'X-Amz-Date', '20261120T232443Z'];

const CURL: readonly Vector[] = [
  {
    request: 'GET /admin/users/demo@poolgate.test',
    signedHeaders: 'host;x-amz-date',
    signature: '3de4e9c3df1a252bf2fa4b2e5ade536ddb3f75840e1c177b5dbd3db1bad5dfbb',
  },
  {
    request: 'GET /admin/users/demo%40poolgate.test',
    signedHeaders: 'host;x-amz-date',
    signature: '92d611e374b77c94fb98f51d5cb707be156958f18b173c29d32617b58008e73d',
  },
  {
    request: 'GET /admin/users?search=a%20b&limit=2&cursor=x+y&flag',
    signedHeaders: 'host;x-amz-date',
    signature: '4808d41cc3ea948a76e8136abbbb9204ebe757356e02c916f8a6304d7163505e',
  },
  {
    request: 'POST /admin/users',
    headers: ['Content-Type', 'application/json', 'Accept', 'application/json'],
    body: '{"a":1}',
    signedHeaders: 'accept;content-type;host;x-amz-date',
    signature: '329f5cd8db06447c8b76841c4c19c4236fc23c352b00490d9c1698682228e906',
  },
  {
    request: 'DELETE /admin/users/x',
    headers: ['content-type', 'application/json', 'X-Amz-Foo', 'a   b'],
    body: '{"a":1}',
    signedHeaders: 'content-type;host;x-amz-date;x-amz-foo',
    signature: 'ccb1f480a7d4781a9bf5f25f823db3e01e12511dbea901b9bcd298f651b9d8ee',
  },
];

for (const vector of CURL) {
  test(`as curl signs: ${vector.request}`, () => {
    const credential = 'ops1/20261120/us-east-1/poolgate/aws4_request';
    assert.ok(verifies(vector, credential, CURL_HEADERS, CURL_SECRET));
    assert.ok(!verifies(vector, credential, CURL_HEADERS, `${CURL_SECRET}0`));
    const elsewhere = { ...vector, request: `${vector.request}0` };
    assert.ok(!verifies(elsewhere, credential, CURL_HEADERS, CURL_SECRET));
  });
}

function verifies(vector: Vector, credential: string, headers: readonly string[], secret: string): boolean {
  const [method = '', target = ''] = vector.request.split(' ');
  const [, date = '', region = '', service = ''] = credential.split('/');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${vector.signedHeaders}, Signature=${vector.signature}`;
  const rawHeaders = [...headers, ...(vector.headers ?? []), 'Authorization', authorization];
  const at = headers[headers.indexOf('X-Amz-Date') + 1] ?? '';
  assert.ok(at.startsWith(date));
  const nowMs = Date.parse(at.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'));
  const request = { method, target, rawHeaders, body: Buffer.from(vector.body ?? '') };
  return readSignature(request, { region, service }, nowMs).isSignedWith(secret);
}
