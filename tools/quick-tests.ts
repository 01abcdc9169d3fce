import { ONE_DATABASE_VARIABLE } from '../packages/pool/src/testing/test-databases.ts';

/**
 * What `npm run test:quick` excludes: tests that run the whole service from end to end, and tests that take many seconds. The rest covers
 * the rules of every package: the pool's on SQLite only, the store's on both databases.
 */
const SLOW = [
  /^e2e\//,
  /^tools\//,
  /\/srp\/src\/amazon\.test\.ts$/,
  /\/store\/src\/(differential|durability)\.test\.ts$/,
  /\/poolgate\/src\/(main|start)\.test\.ts$/,
  /\/poolgate\/src\/(commands|doctor|providers)\//,
];

/** Whether a test is quick enough to run between two changes. */
export const isQuick = (file: string): boolean => !SLOW.some((slow) => slow.test(file));

/** The environment of those tests. */
export const QUICK_ENVIRONMENT: Readonly<Record<string, string>> = { [ONE_DATABASE_VARIABLE]: 'true' };
