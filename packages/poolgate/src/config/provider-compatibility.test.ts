import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from './configuration.ts';
import { ConfigurationError, formatProblem } from './configuration-error.ts';
import { listEffectiveSettings } from './effective-settings.ts';
import type { Environment } from './setting-sources.ts';

const COGNITO: Environment = {
  IDP_PROVIDER: 'cognito',
  IDP_USER_POOL_ID: 'eu-central-1_Example12',
  IDP_CLIENT_ID: 'exampleclient',
};

function listProblems(environment: Environment): readonly string[] {
  try {
    readConfiguration(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems.map(formatProblem);
  }
  return [];
}

test('Cognito needs only a pool and a client', () => {
  const { settings } = readConfiguration(COGNITO);
  assert.deepEqual(
    [settings.provider, settings.region, settings.clientSecrets, settings.endpoint, settings.introspect],
    ['cognito', undefined, undefined, undefined, false],
  );
  assert.deepEqual(listProblems({ ...COGNITO, IDP_REGION: 'eu-central-1', IDP_INTROSPECT: 'true' }), []);
});

test('every missing, unused or wrong setting is reported at once', () => {
  const problems = listProblems({
    IDP_PROVIDER: 'cognito',
    IDP_RECOVERY: 'email',
    IDP_ENDPOINT: 'ftp://cognito.example',
    POOLGATE_SMTP_URL: 'smtps://mail.example',
    POOLGATE_WIRE: 'true',
    PORT: 'x',
  });
  const idle = 'has no effect with IDP_PROVIDER=cognito; allowed: leave it out';
  assert.deepEqual(problems.toSorted(), [
    'IDP_CLIENT_ID: is missing. It is required because IDP_PROVIDER is cognito; allowed: 1 to 128 letters, digits, "_" and "+"',
    'IDP_ENDPOINT: "ftp://cognito.example" is not a valid URL; allowed: an https or http URL without credentials, query or fragment',
    `IDP_RECOVERY: ${idle}`,
    'IDP_USER_POOL_ID: is missing. It is required because IDP_PROVIDER is cognito; allowed: <region>_ and letters and digits, e.g. eu-central-1_AbCd12345; 55 characters at most',
    'POOLGATE_MAIL_FROM: is missing. It is required because POOLGATE_SMTP_URL is set; allowed: an address, or a name and an address: Example Inc. <no-reply@example.com>',
    `POOLGATE_SMTP_URL: ${idle}`,
    `POOLGATE_WIRE: ${idle}`,
    'PORT: "x" is not a whole number; allowed: a whole number from 0 to 65535',
  ]);
});

test('Cognito signs only with RS256', () => {
  assert.deepEqual(listProblems({ ...COGNITO, IDP_SIGNING_ALGORITHM: 'RS256' }), []);
  assert.deepEqual(listProblems({ ...COGNITO, IDP_SIGNING_ALGORITHM: 'ES256' }), [
    'IDP_SIGNING_ALGORITHM: only applies to the embedded pool; Amazon Cognito signs with RS256; allowed: leave it out',
  ]);
  assert.match(listProblems({ IDP_SIGNING_ALGORITHM: 'HS256' }).join(), /^IDP_SIGNING_ALGORITHM: "HS256" is/);
});

test('settings of Cognito have no effect with the embedded pool, and prevent its start', () => {
  const problems = listProblems({
    IDP_CLIENT_SECRET: 'secret',
    IDP_ENDPOINT: 'https://a.example',
    IDP_JWKS_URL: 'https://a.example/k',
    IDP_QUOTA_PERCENT: '50',
  });
  assert.deepEqual(
    problems.map((line) => line.split(';')[0]),
    ['IDP_CLIENT_SECRET', 'IDP_ENDPOINT', 'IDP_JWKS_URL', 'IDP_QUOTA_PERCENT'].map(
      (name) => `${name}: has no effect with IDP_PROVIDER=embedded`,
    ),
  );
});

test('an unknown provider is the only problem that is reported about it', () => {
  assert.equal(listProblems({ ...COGNITO, IDP_PROVIDER: 'auth0', IDP_ENDPOINT: 'https://a.example' }).length, 1);
});

test("a region that differs from the pool's is a problem", () => {
  assert.deepEqual(listProblems({ ...COGNITO, IDP_REGION: 'us-east-1' }), [
    'IDP_REGION: does not match the region in IDP_USER_POOL_ID, eu-central-1; allowed: leave it out',
  ]);
});

test('with Cognito, the pool decides about messages as second factor and recovery', () => {
  assert.deepEqual(listProblems({ ...COGNITO, IDP_MFA_TYPE: 'EMAIL_OTP' }), []);
});

test('one or two client secrets are accepted, and shown nowhere', () => {
  const IDP_CLIENT_SECRET = 'plantedsecret1, plantedsecret2';
  const configuration = readConfiguration({ ...COGNITO, IDP_CLIENT_SECRET });
  assert.deepEqual(configuration.settings.clientSecrets, ['plantedsecret1', 'plantedsecret2']);
  assert.ok(!JSON.stringify(listEffectiveSettings(configuration)).includes('planted'));
  const [three = ''] = listProblems({ ...COGNITO, IDP_CLIENT_SECRET: 'planted1,planted2,planted3' });
  assert.match(three, /^IDP_CLIENT_SECRET: the value has more than 2 items; allowed: .*; at most 2$/);
  const [odd = ''] = listProblems({ ...COGNITO, IDP_CLIENT_SECRET: 'planted secret' });
  assert.ok(odd.startsWith('IDP_CLIENT_SECRET') && !odd.includes('planted'));
});

test('an endpoint with credentials or a query is refused', () => {
  for (const IDP_ENDPOINT of [
    'https://user:word@a.example',
    'https://a.example/?x=1',
    'https://a.example/#x',
    'a.example',
  ]) {
    assert.match(listProblems({ ...COGNITO, IDP_ENDPOINT })[0] ?? '', /is not a valid URL/, IDP_ENDPOINT);
  }
});

test("every ID in Cognito's pattern is accepted for compatible services; the embedded pool has AWS's form", () => {
  for (const IDP_USER_POOL_ID of [
    'local_2abcDEF',
    'my-pool_1',
    'my_pool_1abc',
    'eu-central-1_Example12',
    `a_${'b'.repeat(53)}`,
  ]) {
    const { settings } = readConfiguration({ ...COGNITO, IDP_USER_POOL_ID, IDP_ENDPOINT: 'http://localhost:9229' });
    assert.equal(settings.userPoolId, IDP_USER_POOL_ID);
  }
  for (const IDP_USER_POOL_ID of ['nounderscore', 'us-east-1_', '_abc', 'us east_1', `a_${'b'.repeat(54)}`]) {
    assert.throws(() => readConfiguration({ ...COGNITO, IDP_USER_POOL_ID }), /is not a pool ID/, IDP_USER_POOL_ID);
  }
  assert.throws(
    () => readConfiguration({ IDP_USER_POOL_ID: 'local_2abcDEF' }),
    /does not start with the name of an AWS/,
  );
});
