import { ONE_DATABASE_VARIABLE } from '../packages/pool/src/testing/test-databases.ts';

/**
 * What `npm run test:quick` leaves out: what runs the whole service from end to end, and what takes many seconds alone.
 * The rest is the rules of every package: the pool's on SQLite only, the store's on both databases.
 */
const SLOW = [
  /^e2e\//,
  /^tools\//,
  /\/srp\/src\/amazon\.test\.ts$/,
  /\/store\/src\/(differential|durability)\.test\.ts$/,
  /\/poolgate\/src\/(main|start)\.test\.ts$/,
  /\/poolgate\/src\/(commands|doctor|providers)\//,
];

/** Whether a test belongs to those that run between two changes. */
export const isQuick = (file: string): boolean => !SLOW.some((slow) => slow.test(file));

/** What those tests find in their environment. */
export const QUICK_ENVIRONMENT: Readonly<Record<string, string>> = { [ONE_DATABASE_VARIABLE]: 'true' };
