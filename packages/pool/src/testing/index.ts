/** What the tests of other packages build a real pool with. */
export { SoftwareAuthenticator } from './authenticator.ts';
export { openTestContext } from './context.ts';
export { createTestKeyRing } from './key-ring.ts';
export { sentCode } from './login.ts';
export { WEB_AUTHN } from './passkeys.ts';
export { addUser, CALL, inviteUser, openTestPoolOn, PASSWORD, type TestPool, type TestPoolOptions } from './pool.ts';
export { codeOf, enrol, wrongCode } from './totp.ts';
