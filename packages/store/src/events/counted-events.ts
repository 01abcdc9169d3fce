import { createHash } from 'node:crypto';
import type { EventRecord } from '@poolgate/pool/store';

/** What the failures that are counted together have in common. */
interface CountedFacts extends Pick<EventRecord, 'userPoolId' | 'type' | 'outcome' | 'clientId'> {
  /** JSON text. */
  readonly details: string;
}

const MINUTE_MS = 60_000;

/**
 * How many rows count the failures of one minute with the same facts. Failures at the same time then wait for each other no more than
 * rows of different users do, so that time does not tell which names exist.
 */
const ROWS_PER_MINUTE = 16;

/** Gives the numbers of the rows of a minute in turn. */
export function rowsInTurn(): () => number {
  let last = -1;
  return () => (last = (last + 1) % ROWS_PER_MINUTE);
}

/**
 * The id of a row that counts failures: a UUID of version 7 (RFC 9562 section 5.7), which every replica makes alike.
 * @param startMs when the counted time begins
 * @param row which of several rows with the same facts and time; absent where there is one
 */
export function countedId(
  startMs: number,
  { userPoolId, type, outcome, clientId, details }: CountedFacts,
  row?: number,
): string {
  const facts = [userPoolId, type, outcome, clientId, details, ...(row === undefined ? [] : [row])];
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest();
  digest.writeUIntBE(startMs, 0, 6);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x70, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The id of the row that counts a failure until the minute is counted into its hour. */
export function minuteRowId({ atMs, details, ...event }: EventRecord, row: number): string {
  return countedId(atMs - (atMs % MINUTE_MS), { ...event, details: JSON.stringify(details) }, row);
}
