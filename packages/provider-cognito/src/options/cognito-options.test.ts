import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CognitoOptions, DEFAULT_LIMITS, resolveOptions } from './cognito-options.ts';

const GOOD: CognitoOptions = {
  region: 'eu-west-1',
  userPoolId: 'eu-west-1_AbCdEf123',
  clientId: 'client',
  clientSecrets: [],
  clock: { now: () => 0 },
};

const BAD: readonly [Partial<CognitoOptions>, RegExp][] = [
  [{ region: 'eu-west-1.evil.example/' }, /^region/],
  [{ userPoolId: '../other' }, /^userPoolId/],
  [{ clientId: '' }, /^clientId/],
  [{ clientSecrets: ['a', 'b', 'c'] }, /^clientSecrets/],
  [{ clientSecrets: [''] }, /^clientSecrets/],
  [{ endpoint: 'not a url' }, /^endpoint/],
  [{ jwksUrl: 'file:///etc/passwd' }, /^jwksUrl/],
  [{ limits: { callMs: Number.NaN } }, /^limits\.callMs/],
  [{ limits: { tries: -1 } }, /^limits\.tries/],
  [{ limits: { quotas: { UserRead: 0 } } }, /^limits\.quotas\.UserRead/],
  [{ limits: { quotas: { UserRead: Number.NaN } } }, /^limits\.quotas\.UserRead/],
  [{ limits: { quotas: { userRead: 1 } as object } }, /^limits\.quotas\.userRead/],
];

test('a wrong option is named', () => {
  for (const [more, named] of BAD) assert.throws(() => resolveOptions({ ...GOOD, ...more }), { message: named });
});

test('keys are fetched below the endpoint, otherwise below the issuer, unless an address is given', () => {
  const path = 'eu-west-1_AbCdEf123/.well-known/jwks.json';
  assert.equal(resolveOptions(GOOD).jwksUrl, `https://cognito-idp.eu-west-1.amazonaws.com/${path}`);
  assert.equal(
    resolveOptions({ ...GOOD, endpoint: 'http://localhost:3000/idp/' }).jwksUrl,
    `http://localhost:3000/idp/${path}`,
  );
  assert.equal(
    resolveOptions({ ...GOOD, issuer: 'https://iss.example/x' }).jwksUrl,
    'https://iss.example/x/.well-known/jwks.json',
  );
  assert.equal(resolveOptions({ ...GOOD, jwksUrl: 'https://keys.example/' }).jwksUrl, 'https://keys.example/');
  const chinese = resolveOptions({ ...GOOD, region: 'cn-north-1' });
  assert.match(chinese.issuer, /^https:\/\/cognito-idp\.cn-north-1\.amazonaws\.com\.cn\//);
});

test('random numbers for the delays cover 0 to 1', () => {
  const { random } = resolveOptions(GOOD);
  const drawn = Array.from({ length: 200 }, random);
  assert.ok(drawn.every((number) => number >= 0 && number < 1));
  assert.ok(Math.min(...drawn) < 0.2 && Math.max(...drawn) > 0.8);
});

test("the caller's address is sent to a custom endpoint, and never to Amazon", () => {
  const isTold = (endpoint: string) => resolveOptions({ ...GOOD, endpoint }).sendsClientAddress;
  assert.equal(resolveOptions(GOOD).sendsClientAddress, false);
  for (const host of [
    'cognito-idp.eu-west-1.amazonaws.com',
    'COGNITO-IDP.EU-WEST-1.AMAZONAWS.COM.',
    'cognito-idp-fips.us-east-1.amazonaws.com',
    'cognito-idp.cn-north-1.amazonaws.com.cn',
    'cognito-idp.eu-west-1.api.aws',
    'cognito-idp.eusc-de-east-1.amazonaws.eu',
    'vpce-0a1b-2c3d.cognito-idp.eu-west-1.vpce.amazonaws.com:443',
  ]) {
    assert.equal(isTold(`https://${host}/`), false, host);
  }
  for (const host of [
    'localhost:9229',
    '[::1]:3000',
    'pool.example.com',
    'notamazonaws.com',
    'amazonaws.com.example',
  ]) {
    assert.equal(isTold(`http://${host}`), true, host);
  }
});

test('a call takes up to nine seconds in three attempts, and a circuit opens after half of ten fail within ten seconds', () => {
  const { quotas, ...limits } = DEFAULT_LIMITS;
  assert.deepEqual(quotas, {});
  assert.deepEqual(limits, {
    connectMs: 2000,
    requestMs: 5000,
    callMs: 9000,
    tries: 3,
    backoffMs: 100,
    maxBackoffMs: 1000,
    retryReserve: 10,
    retryShare: 0.1,
    breakerOutcomes: 20,
    breakerLeast: 10,
    breakerShare: 0.5,
    breakerWindowMs: 10000,
    breakerOpenMs: 1000,
  });
  for (const limit of [0, 1]) {
    assert.equal(resolveOptions({ ...GOOD, limits: { backoffMs: limit } }).limits.backoffMs, limit);
  }
});
