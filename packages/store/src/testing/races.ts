import assert from 'node:assert/strict';
import { ROW_CHANGED, StoreUnavailable } from '../sql/store-errors.ts';

/** How many try at once. */
export const RACERS = 50;

/** Runs the same work many times at once; tells how often it came out true. */
export async function countWins(work: () => Promise<boolean>): Promise<number> {
  const outcomes = await Promise.all(Array.from({ length: RACERS }, work));
  return outcomes.filter(Boolean).length;
}

/** Whether a write went through; false where a row was no more as it had to be. */
export async function isChanged(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    assert.ok(error instanceof StoreUnavailable && error.message.endsWith(ROW_CHANGED), String(error));
    return false;
  }
}

/** Checks of an error that it is the conflict of a table's key. */
export const createConflictCheck = (key: string) => (error: unknown) => {
  assert.ok(error instanceof Error && error.name === 'ConflictError' && 'key' in error);
  assert.equal(error.key, key);
  return true;
};
