/** The records of the pool, as every store keeps them. */
export type * from './branding-records.ts';
export type * from './factor-records.ts';
export type * from './federation-records.ts';
export type * from './limit-records.ts';
export type * from './login-records.ts';
export type * from './message-records.ts';
export type * from './pool-records.ts';
export type * from './user-records.ts';
