import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSuccessReply, startCognitoServer } from '../testing/cognito-server.ts';
import { FULL_POOL, replyAsClosedPool, replyAsFullPool } from '../testing/pool-settings-replies.ts';
import { openTestProvider, POOL_ID, type TestProvider } from '../testing/test-provider.ts';

async function described(provider: TestProvider) {
  return (await provider.describe(POOL_ID)) ?? assert.fail('the pool is not known');
}

test('a pool is described by its own settings', async () => {
  await using server = await startCognitoServer(replyAsFullPool);
  using provider = openTestProvider(server.url);
  const { srp, challenges, ...facts } = await described(provider);
  assert.deepEqual(facts, {
    userPoolId: POOL_ID,
    region: 'us-east-1',
    issuer: `https://cognito-idp.us-east-1.amazonaws.com/${POOL_ID}`,
    firstFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'],
    passkeys: { relyingPartyId: 'example.com' },
    passwordPolicy: null,
    acceptsVerifiers: false,
    mfa: { setup: 'OPTIONAL', types: ['SOFTWARE_TOKEN_MFA'] },
  });
  assert.deepEqual([srp.NHex.length, srp.gHex, srp.hash], [768, '2', 'SHA-256']);
  const met = [
    'PASSWORD_VERIFIER',
    'DEVICE_SRP_AUTH',
    'WEB_AUTHN',
    'EMAIL_OTP',
    'MFA_SETUP',
    'SOFTWARE_TOKEN_MFA',
  ] as const;
  for (const name of met) assert.ok(challenges.includes(name), name);
  const never = ['SMS_MFA', 'SMS_OTP', 'CUSTOM_CHALLENGE', 'SELECT_MFA_TYPE'] as const;
  for (const name of never) assert.ok(!challenges.includes(name), name);
});

test('the password policy of a pool is described, and missing if it is unknown', async () => {
  const Policies = { PasswordPolicy: { MinimumLength: 12, RequireNumbers: true } };
  await using server = await startCognitoServer((request) =>
    request.operation === 'DescribeUserPool'
      ? createSuccessReply({ UserPool: { Policies } })
      : replyAsFullPool(request),
  );
  using provider = openTestProvider(server.url);
  assert.deepEqual((await described(provider)).passwordPolicy, {
    minimumLength: 12,
    requireUppercase: false,
    requireLowercase: false,
    requireNumbers: true,
    requireSymbols: false,
    refuseCommon: false,
    refuseLeaked: false,
  });
});

test('without permission to read settings, defaults are assumed and reported, and any challenge may come', async () => {
  await using server = await startCognitoServer(replyAsClosedPool);
  const assumed = { passkeys: { relyingPartyId: 'login.example' }, mfa: { setup: 'ON', types: ['SMS_MFA'] } } as const;
  using provider = openTestProvider(server.url, { assumed });
  const { passkeys, mfa, challenges, firstFactors } = await described(provider);
  assert.deepEqual({ passkeys, mfa }, assumed);
  assert.deepEqual(firstFactors, ['PASSWORD', 'WEB_AUTHN'], 'where everybody owes a second factor, no code');
  assert.equal(challenges.length, 14);
  assert.ok(!challenges.includes('CUSTOM_CHALLENGE'));
});

test('settings are read once in five minutes, and those without permission once a minute', async () => {
  for (const [answer, everyMs] of [
    [replyAsFullPool, 300_000],
    [replyAsClosedPool, 60_000],
  ] as const) {
    await using server = await startCognitoServer(answer);
    using provider = openTestProvider(server.url);
    await Promise.all([described(provider), described(provider)]);
    provider.time.advance(everyMs - 1);
    await described(provider);
    assert.equal(server.receivedRequests.length, 3);
    provider.time.advance(1);
    await described(provider);
    await server.waitForRequests(6);
  }
});

test('no caller waits long for settings, and cached ones are used while AWS is unreachable', async () => {
  await using server = await startCognitoServer(() => 'hang');
  using slow = openTestProvider(server.url);
  const first = described(slow);
  await server.waitForRequests(3);
  slow.time.advance(2_000);
  assert.equal((await first).passkeys, null);
  server.setReply(replyAsFullPool);
  using provider = openTestProvider(server.url);
  await described(provider);
  server.setReply(() => 'reset');
  provider.time.advance(600_000);
  assert.deepEqual((await described(provider)).passkeys, { relyingPartyId: 'example.com' });
});

test('a pool without devices, passkeys and MFA is described as such', async () => {
  const { DeviceConfiguration, Policies, ...bare } = FULL_POOL.DescribeUserPool.UserPool;
  await using server = await startCognitoServer(({ operation }) => ({
    body: JSON.stringify(operation === 'DescribeUserPool' ? { UserPool: bare } : { MfaConfiguration: 'OFF' }),
  }));
  using provider = openTestProvider(server.url);
  const { passkeys, mfa, challenges, firstFactors } = await described(provider);
  assert.equal(passkeys, null);
  assert.deepEqual(firstFactors, ['PASSWORD']);
  assert.deepEqual(mfa, { setup: 'OFF', types: [] });
  assert.deepEqual(challenges, ['NEW_PASSWORD_REQUIRED', 'PASSWORD_VERIFIER']);
});

test('a second factor by mail is not a first factor', async () => {
  const mfa = { ...FULL_POOL.GetUserPoolMfaConfig, EmailMfaConfiguration: {} };
  const Policies = { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] } };
  const UserPool = { ...FULL_POOL.DescribeUserPool.UserPool, Policies };
  const answers = { ...FULL_POOL, DescribeUserPool: { UserPool }, GetUserPoolMfaConfig: mfa };
  await using server = await startCognitoServer(({ operation }) => ({
    body: JSON.stringify(answers[operation as keyof typeof answers]),
  }));
  using provider = openTestProvider(server.url);
  const { challenges, firstFactors } = await described(provider);
  assert.ok(challenges.includes('EMAIL_OTP'));
  assert.deepEqual(firstFactors, ['PASSWORD']);
});

test('the relying party is the domain of the pool if none is set', async () => {
  const { WebAuthnConfiguration, ...mfa } = FULL_POOL.GetUserPoolMfaConfig;
  const UserPool = { ...FULL_POOL.DescribeUserPool.UserPool, Domain: 'acme' };
  const answers = { ...FULL_POOL, DescribeUserPool: { UserPool }, GetUserPoolMfaConfig: mfa };
  await using server = await startCognitoServer(({ operation }) => ({
    body: JSON.stringify(answers[operation as keyof typeof answers]),
  }));
  using provider = openTestProvider(server.url);
  const { passkeys } = await described(provider);
  assert.deepEqual(passkeys, { relyingPartyId: 'acme.auth.us-east-1.amazoncognito.com' });
});

test('the settings do not contain the client secret', async () => {
  await using server = await startCognitoServer(replyAsFullPool);
  using provider = openTestProvider(server.url);
  const settings = await provider.readSettings();
  assert.equal(settings.userPoolClient?.hasSecret, true);
  assert.doesNotMatch(JSON.stringify(settings), /the-secret-of-the-client/);
});
