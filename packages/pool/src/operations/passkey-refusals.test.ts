import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { PasskeyRefusalReport, ReportPasskeyRefusal } from '../proofs/passkeys/passkey-refusals.ts';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { respondToChallenge, startPasswordLogin } from '../testing/test-logins.ts';
import {
  answerPasskey,
  completeRegistration,
  createAuthenticatorWithPasskey,
  finishDiscoverableLogin,
  startDiscoverableLogin,
  startPasskeyLogin,
  startRegistration,
  TEST_ORIGIN,
  WEB_AUTHN,
} from '../testing/test-passkeys.ts';
import { addUser, openTestPoolOn, TEST_CALL } from '../testing/test-pool.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';

async function openReportingPool(t: TestContext) {
  const reports: PasskeyRefusalReport[] = [];
  const environment = await openTestEnvironment('sqlite::memory:');
  const onPasskeyRefusal: ReportPasskeyRefusal = (report, { requestId }) => {
    assert.equal(requestId, TEST_CALL.requestId);
    reports.push(report);
  };
  const options = { ...environment.options, onPasskeyRefusal };
  const pool = await openTestPoolOn({ ...environment, options }, { pool: { webAuthn: WEB_AUTHN } });
  t.after(() => pool.close());
  await addUser(pool, ADA);
  return { pool, takeReports: () => reports.splice(0) };
}

it('a login reports why its passkey was refused, and nothing when it was accepted', async (t) => {
  const { pool, takeReports } = await openReportingPool(t);
  const key = await createAuthenticatorWithPasskey(pool, ADA);
  requireTokens(await answerPasskey(pool, await startPasskeyLogin(pool, ADA), ADA, key, { counter: 5 }));
  assert.deepEqual(takeReports(), []);
  const stranger = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
  stranger.register({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'YWRh' } });
  for (const [code, knobs, authenticator] of [
    ['challenge', { challenge: 'BBBB' }, key],
    ['origin', { origin: 'https://evil.example' }, key],
    ['counter', { counter: 5 }, key],
    ['unknown_credential', { passkey: stranger.latest }, stranger],
  ] as const) {
    const before = await startPasskeyLogin(pool, ADA);
    await assert.rejects(answerPasskey(pool, before, ADA, authenticator, knobs), { code: 'NotAuthorizedException' });
    assert.deepEqual(takeReports(), [{ answer: 'assertion', code }]);
  }
  const before = await startPasskeyLogin(pool, ADA);
  await assert.rejects(respondToChallenge(pool, before, ADA, { CREDENTIAL: '{}' }), {
    code: 'InvalidParameterException',
  });
  assert.deepEqual(takeReports(), [{ answer: 'assertion', code: 'malformed' }]);
});

it('a login without a username reports an unknown passkey', async (t) => {
  const { pool, takeReports } = await openReportingPool(t);
  const key = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
  key.register({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'YWRh' } });
  const started = await startDiscoverableLogin(pool);
  await assert.rejects(finishDiscoverableLogin(pool, started, key, { passkey: key.latest }), {
    code: 'ResourceNotFoundException',
  });
  assert.deepEqual(takeReports(), [{ answer: 'assertion', code: 'unknown_credential' }]);
});

it('a registration reports why it was refused', async (t) => {
  const { pool, takeReports } = await openReportingPool(t);
  const { access } = requireTokens(await startPasswordLogin(pool, ADA));
  const key = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
  const isRefused = { reason: 'invalid_credential' };
  for (const [code, knobs] of [
    ['origin', { origin: 'https://evil.example' }],
    ['attestation_format', { fmt: 'apple' }],
  ] as const) {
    const credential = key.register(await startRegistration(pool, access), knobs);
    await assert.rejects(completeRegistration(pool, access, credential), isRefused);
    assert.deepEqual(takeReports(), [{ answer: 'attestation', code }]);
  }
  const registered = key.register(await startRegistration(pool, access));
  await completeRegistration(pool, access, registered);
  assert.deepEqual(takeReports(), []);
  await assert.rejects(completeRegistration(pool, access, registered), isRefused);
  assert.deepEqual(takeReports(), [{ answer: 'attestation', code: 'challenge' }]);
  await assert.rejects(completeRegistration(pool, access, 'no credential'), isRefused);
  assert.deepEqual(takeReports(), [{ answer: 'attestation', code: 'malformed' }]);
});
