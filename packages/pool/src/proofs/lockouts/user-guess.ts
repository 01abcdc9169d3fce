import type { CallPort, ClockPort, MacPorts } from '../../kernel/ports.ts';
import { toGuessNetwork } from '../../kernel/source-network.ts';
import type { PoolRecord } from '../../store/records.ts';
import { createGuessSubject, type Guess, type GuessCounter } from './lockout.ts';

const DAY_MS = 86_400_000;
const DIGEST_LETTERS = 22;

/**
 * A guess at the secret of a user, or of an unknown name's decoy user. If anyone can guess, it counts for the call's network, so that a
 * stranger on another network cannot lock the user out.
 * @param userId the canonical username, or the decoy of an unknown name
 */
export function createUserGuess(
  ports: MacPorts & ClockPort & CallPort,
  pool: PoolRecord,
  counter: GuessCounter,
  userId: string,
): Guess {
  const nowMs = ports.clock.now();
  const ofUser = { counter, poolId: pool.id, subject: createGuessSubject(ports, pool, counter, userId), nowMs };
  if (counter.perUserAndDay === undefined) return ofUser;
  // Usernames contain no space.
  const ofNetwork = `${userId} ${toGuessNetwork(ports.call.sourceAddress) ?? 'no address'}`;
  const subject = shortenSubject(counter, createGuessSubject(ports, pool, counter, ofNetwork));
  return {
    ...ofUser,
    subject,
    dailySubject: `${shortenSubject(counter, ofUser.subject)}/${Math.floor(nowMs / DAY_MS)}`,
  };
}

/** 128 bits of the digest distinguish subjects. Anonymous requests create these rows, so they should be short. */
function shortenSubject({ name }: GuessCounter, subject: string): string {
  return subject.slice(0, name.length + 1 + DIGEST_LETTERS);
}
