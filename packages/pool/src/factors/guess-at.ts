import type { CallPort, ClockPort, MacPorts } from '../kernel/ports.ts';
import { guessNetwork } from '../messages/source-network.ts';
import type { PoolRecord } from '../store/records.ts';
import { type Guess, type GuessCounter, guessSubject } from './lockout.ts';

const DAY_MS = 86_400_000;
const DIGEST_LETTERS = 22;

/**
 * A guess at the secret of a user, or of the decoy user of an unknown name. Where anybody can guess, it counts for the network that the
 * call came from, so that a stranger on another network cannot lock the user out.
 * @param userId the canonical user name, or the decoy of an unknown name
 */
export function guessAt(
  ports: MacPorts & ClockPort & CallPort,
  pool: PoolRecord,
  counter: GuessCounter,
  userId: string,
): Guess {
  const nowMs = ports.clock.now();
  const ofUser = { counter, poolId: pool.id, subject: guessSubject(ports, pool, counter, userId), nowMs };
  if (counter.perUserAndDay === undefined) return ofUser;
  // No user name has a space in it.
  const ofNetwork = `${userId} ${guessNetwork(ports.call.sourceAddress) ?? 'no address'}`;
  const subject = shortened(counter, guessSubject(ports, pool, counter, ofNetwork));
  return { ...ofUser, subject, dailySubject: `${shortened(counter, ofUser.subject)}/${Math.floor(nowMs / DAY_MS)}` };
}

/** 128 bits of the digest tell subjects apart; anonymous requests make these rows, so they are short. */
function shortened({ name }: GuessCounter, subject: string): string {
  return subject.slice(0, name.length + 1 + DIGEST_LETTERS);
}
