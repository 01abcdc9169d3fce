export type { Clock, KeyRing, Message, PoolContext, Random, Sender } from './context.ts';
export type { PoolAndClient } from './domain/pools.ts';
export { temporaryPassword } from './domain/temporary-password.ts';
export { createPool, type EmbeddedPool } from './embedded-pool.ts';
export type { SetUp } from './set-up.ts';
