import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createPool } from '../index.ts';
import type { PasskeyRefusalReport, ReportPasskeyRefusal } from '../proofs/passkeys/passkey-refusals.ts';
import { createHaltingStore } from '../testing/crashing-store.ts';
import { encodeCbor } from '../testing/encode-cbor.ts';
import { createKeyPair, SoftwareAuthenticator, toCoseKey } from '../testing/software-authenticator.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { respondToChallenge, startPasswordLogin } from '../testing/test-logins.ts';
import {
  answerPasskey,
  completeRegistration,
  createAuthenticatorWithPasskey,
  finishDiscoverableLogin,
  registerPasskey,
  startDiscoverableLogin,
  startPasskeyLogin,
  startRegistration,
  TEST_ORIGIN,
  WEB_AUTHN,
} from '../testing/test-passkeys.ts';
import { addUser, openTestPoolOn, TEST_CALL } from '../testing/test-pool.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';

/** The first write of a response consumes the session. */
const DECIDING_WRITE = 2;

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
  /** A replica that consumes the session, verifies the response, and waits before the deciding write. */
  const openHaltingReplica = () => {
    const { store, ...halt } = createHaltingStore(options.store, DECIDING_WRITE);
    return { ...halt, replica: { ...pool, operations: createPool({ ...options, store }).operations } };
  };
  return { pool, openHaltingReplica, takeReports: () => reports.splice(0) };
}

const newAuthenticator = () => new SoftwareAuthenticator({ origin: TEST_ORIGIN });

it('a login reports why its passkey was refused, and nothing when it was accepted', async (t) => {
  const { pool, takeReports } = await openReportingPool(t);
  const key = await createAuthenticatorWithPasskey(pool, ADA);
  requireTokens(await answerPasskey(pool, await startPasskeyLogin(pool, ADA), ADA, key, { counter: 5 }));
  assert.deepEqual(takeReports(), []);
  const stranger = newAuthenticator();
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
  const key = newAuthenticator();
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
  const key = newAuthenticator();
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

it('a registration reports an unsupported key, a taken ID, and another app client', async (t) => {
  const { pool, takeReports } = await openReportingPool(t);
  const { access } = requireTokens(await startPasswordLogin(pool, ADA));
  const key = newAuthenticator();
  const credentialId = Buffer.from(await registerPasskey(pool, access, key), 'base64url');
  const foreignKey = toCoseKey({ algorithm: 'ES256', ...createKeyPair('ES256') }).set(-1, 2);
  for (const [code, knobs] of [
    ['public_key', { publicKey: encodeCbor(foreignKey) }],
    ['credential_exists', { credentialId }],
  ] as const) {
    const credential = newAuthenticator().register(await startRegistration(pool, access), knobs);
    await assert.rejects(completeRegistration(pool, access, credential), {
      code: 'WebAuthnCredentialNotSupportedException',
      reason: 'invalid_credential',
    });
    assert.deepEqual(takeReports(), [{ answer: 'attestation', code }]);
  }
  const { UserPoolClient } = await pool.operations.createUserPoolClient(
    { UserPoolId: pool.userPoolId, ClientName: 'Other', ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'] },
    TEST_CALL,
  );
  const { access: elsewhere } = requireTokens(
    await startPasswordLogin({ ...pool, clientId: UserPoolClient?.ClientId ?? '' }, ADA),
  );
  const credential = newAuthenticator().register(await startRegistration(pool, access));
  await assert.rejects(completeRegistration(pool, elsewhere, credential), { code: 'WebAuthnClientMismatchException' });
  assert.deepEqual(takeReports(), [{ answer: 'attestation', code: 'app_client' }]);
});

it('of two answers verified with one counter, the one written later reports the counter', async (t) => {
  const { pool, openHaltingReplica, takeReports } = await openReportingPool(t);
  const key = await createAuthenticatorWithPasskey(pool, ADA);
  const [first, second] = [await startPasskeyLogin(pool, ADA), await startPasskeyLogin(pool, ADA)];
  const { replica, isHeld, release } = openHaltingReplica();
  // By itself, the greater counter would also be valid after the smaller one.
  const late = answerPasskey(replica, first, ADA, key, { counter: 9 });
  await isHeld;
  requireTokens(await answerPasskey(pool, second, ADA, key, { counter: 5 }));
  release();
  await assert.rejects(late, { code: 'NotAuthorizedException' });
  assert.deepEqual(takeReports(), [{ answer: 'assertion', code: 'counter' }]);
});

it('an answer whose passkey is replaced before it is written reports an unknown passkey', async (t) => {
  const { pool, openHaltingReplica, takeReports } = await openReportingPool(t);
  const { access } = requireTokens(await startPasswordLogin(pool, ADA));
  const key = newAuthenticator();
  const CredentialId = await registerPasskey(pool, access, key);
  const { replica, isHeld, release } = openHaltingReplica();
  const late = answerPasskey(replica, await startPasskeyLogin(pool, ADA), ADA, key, { passkey: key.latest });
  await isHeld;
  await pool.operations.deleteWebAuthnCredential({ AccessToken: access, CredentialId }, TEST_CALL);
  // For a key that is read after this, the signature would be wrong.
  await registerPasskey(pool, access, newAuthenticator(), { credentialId: Buffer.from(CredentialId, 'base64url') });
  release();
  await assert.rejects(late, { code: 'NotAuthorizedException' });
  assert.deepEqual(takeReports(), [{ answer: 'assertion', code: 'unknown_credential' }]);
});
