/** With these, tests of other packages build a real pool. */
export { SoftwareAuthenticator } from './software-authenticator.ts';
export { openTestEnvironment } from './test-environment.ts';
export { createTestKeyRing } from './test-key-ring.ts';
export { sentCode } from './test-logins.ts';
export { WEB_AUTHN } from './test-passkeys.ts';
export {
  addUser,
  inviteUser,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
  type TestPoolOptions,
} from './test-pool.ts';
export { computeTestTotpCode, computeWrongTotpCode, enrolTotp } from './test-totp.ts';
