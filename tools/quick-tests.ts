/**
 * What `npm run test:quick` leaves out: what runs the whole service from end to end, and below it what takes many seconds.
 * The rest is the rules of every package, and its stores on both databases.
 */
const SLOW = [/^e2e\//, /^tools\//, /\/store\/src\/(differential|durability)\.test\.ts$/];

/** Whether a test belongs to those that run between two changes. */
export const isQuick = (file: string): boolean => !SLOW.some((slow) => slow.test(file));
