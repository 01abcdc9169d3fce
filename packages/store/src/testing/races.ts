import assert from 'node:assert/strict';
import { ROW_CHANGED, StoreUnavailable } from '../sql/store-errors.ts';

/** The number of concurrent attempts. */
export const RACERS = 50;

/** Runs the same work many times at once and counts how often it returned true. */
export async function countWins(work: () => Promise<boolean>): Promise<number> {
  const outcomes = await Promise.all(Array.from({ length: RACERS }, work));
  return outcomes.filter(Boolean).length;
}

/** Whether a write succeeded; false if a row had changed. */
export async function isChanged(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    assert.ok(error instanceof StoreUnavailable && error.message.endsWith(ROW_CHANGED), String(error));
    return false;
  }
}

/** Creates a check that an error is a conflict of a table's key. */
export const createConflictCheck = (key: string) => (error: unknown) => {
  assert.ok(error instanceof Error && error.name === 'ConflictError' && 'key' in error);
  assert.equal(error.key, key);
  return true;
};
