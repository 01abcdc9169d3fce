const TOMBSTONE = 'gone:';

/** The subject of the revocation that keeps a deleted user away. */
export function tombstoneOf(sub: string): string {
  return `${TOMBSTONE}${sub}`;
}

/** Whose tombstone a subject is. */
export function subOfTombstone(subject: string): string {
  return subject.slice(TOMBSTONE.length);
}
