/** What the tests of other packages build a real pool with. */
export { openTestContext } from './context.ts';
export { createTestKeyRing } from './key-ring.ts';
export { sentCode } from './login.ts';
export { addUser, CALL, openTestPoolOn, PASSWORD, type TestPool, type TestPoolOptions } from './pool.ts';
export { codeOf, enrol, wrongCode } from './totp.ts';
