import type { Parts } from '../assembly.ts';
import { type Fault, miswriting, type Scripted } from './plant.ts';
import { answer, choose, enrolled, guess, logIn, wait, wrongPasswords, wrongPasswordsElsewhere } from './scripts.ts';

const TEN_MINUTES_MS = 600_000;

/** Resets the counter of codes after any other event. `subjects` are the counted ones. */
function forgetful(when: 'message' | 'password'): Partial<Parts> {
  const subjects = new Map<string, number>();
  return miswriting((real) => {
    const clearAll = async (poolId: string): Promise<void> => {
      for (const [subject, nowMs] of subjects) await real.lockouts.clearFailures(poolId, subject, nowMs);
    };
    return {
      messages: {
        async enqueue(message) {
          if (when === 'message') await clearAll(message.poolId);
          return real.messages.enqueue(message);
        },
      },
      lockouts: {
        countFailure(poolId, subject, nowMs, forgetBeforeMs) {
          if (subject.startsWith('code.')) subjects.set(subject, nowMs);
          return real.lockouts.countFailure(poolId, subject, nowMs, forgetBeforeMs);
        },
        async holdLocks(poolId, subject, other) {
          if (when === 'password' && subject.startsWith('password:')) await clearAll(poolId);
          return real.lockouts.holdLocks(poolId, subject, other);
        },
      },
    };
  });
}

/** Counts one guess per moment. */
function countingMoments(): Partial<Parts> {
  const counted = new Map<string, number>();
  return miswriting((real) => ({
    lockouts: {
      async countFailure(poolId, subject, nowMs, forgetBeforeMs) {
        const moment = `${subject} ${nowMs}`;
        const count = counted.get(moment) ?? (await real.lockouts.countFailure(poolId, subject, nowMs, forgetBeforeMs));
        if (count !== undefined) counted.set(moment, count);
        return count;
      },
    },
  }));
}

/** Counts the guesses of each session separately. */
function countingSessions(): Partial<Parts> {
  let session = '';
  return miswriting((real) => ({
    challengeSessions: {
      reserve(id, expiresAtMs) {
        session = id;
        return real.challengeSessions.reserve(id, expiresAtMs);
      },
      reserveAndSpend(id, expiresAtMs) {
        session = id;
        return real.challengeSessions.reserveAndSpend(id, expiresAtMs);
      },
    },
    lockouts: {
      countFailure: (poolId, subject, ...times) =>
        real.lockouts.countFailure(poolId, `${subject}/${session}`, ...times),
      countSharedFailure: (poolId, subject, ofSubject, ...times) =>
        real.lockouts.countSharedFailure(poolId, `${subject}/${session}`, `${ofSubject}/${session}`, ...times),
    },
  }));
}

/** Counts the passwords of all networks together. */
function countingNetworksTogether(): Partial<Parts> {
  const shared = (subject: string) => (/^password:[^ /]+$/.test(subject) ? 'password:all' : subject);
  return miswriting((real) => ({
    lockouts: {
      countFailure: (poolId, subject, ...times) => real.lockouts.countFailure(poolId, shared(subject), ...times),
      countSharedFailure: (poolId, subject, ofSubject, ...times) =>
        real.lockouts.countSharedFailure(poolId, subject, shared(ofSubject), ...times),
      lockOut: (poolId, subject, untilMs) => real.lockouts.lockOut(poolId, shared(subject), untilMs),
      clearFailures: (poolId, subject, ...times) => real.lockouts.clearFailures(poolId, shared(subject), ...times),
      bySubject: (poolId, subject) => real.lockouts.bySubject(poolId, shared(subject)),
      unlock: (poolId, subject) => real.lockouts.unlock(poolId, shared(subject)),
      async holdLocks(poolId, subject, other) {
        const locks = await real.lockouts.holdLocks(poolId, shared(subject), other);
        return locks.map((lock) => (lock.subject === shared(subject) ? { ...lock, subject } : lock));
      },
    },
  }));
}

/** The first user has a second factor by mail, and was sent five codes. */
const askedByMail: readonly Scripted[] = [
  logIn(),
  ['preferFactor', { at: 0, method: 'EMAIL_OTP', isOn: true, isPreferred: true }],
  ...Array.from({ length: 5 }, () => logIn()),
];

/** Mistakes in the number of guesses. */
export const COUNTER_FAULTS: readonly Fault[] = [
  {
    name: 'a wrong guess is not counted',
    parts: miswriting(() => ({ lockouts: { countFailure: async () => 1, countSharedFailure: async () => 1 } })),
    script: [...wrongPasswords(5), logIn()],
  },
  {
    name: 'a stranger on another network locks the password of a user',
    parts: countingNetworksTogether(),
    script: [...wrongPasswordsElsewhere(5), logIn()],
  },
  {
    name: 'parallel guesses are counted as one',
    parts: countingMoments(),
    script: [...enrolled, wait(31), logIn(), guess(12)],
  },
  {
    name: 'a lockout does not refuse right answers',
    parts: miswriting((real) => ({
      lockouts: {
        holdLocks: async (...about) =>
          (await real.lockouts.holdLocks(...about)).map((lock) => ({ ...lock, lockedUntilMs: 0 })),
      },
    })),
    script: [...wrongPasswords(5), logIn()],
  },
  {
    name: 'a lockout does not end in time',
    parts: miswriting((real) => ({
      lockouts: {
        lockOut: (poolId, subject, untilMs) => real.lockouts.lockOut(poolId, subject, untilMs + TEN_MINUTES_MS),
      },
    })),
    script: [...wrongPasswords(5), wait(31), logIn()],
  },
  {
    name: 'a new code allows new guesses',
    parts: forgetful('message'),
    script: [choose('EMAIL_OTP'), guess(9), choose('EMAIL_OTP'), answer('wrong'), answer('right')],
  },
  {
    name: 'a right password allows new guesses at codes',
    parts: forgetful('password'),
    script: [...enrolled, wait(31), logIn(), guess(9), logIn(), answer('wrong'), answer('right')],
  },
  {
    name: 'wrong codes are not counted across logins',
    parts: countingSessions(),
    script: [...enrolled, wait(31), logIn(), guess(9), logIn(), guess(3)],
  },
  {
    name: 'codes are sent without a limit after a first factor',
    parts: miswriting(() => ({ allowances: { takeFromBucket: async () => true } })),
    script: [...askedByMail, logIn()],
  },
  {
    name: 'codes are sent again too early',
    parts: miswriting((real) => ({
      allowances: {
        takeFromBucket: (poolId, subject, nowMs, { most, everyMs }) =>
          real.allowances.takeFromBucket(poolId, subject, nowMs, { most, everyMs: everyMs - 1_000 }),
      },
    })),
    script: [...askedByMail, wait(719), logIn()],
  },
  {
    name: 'codes are not sent again in time',
    parts: miswriting((real) => ({
      allowances: {
        takeFromBucket: (poolId, subject, nowMs, { most, everyMs }) =>
          real.allowances.takeFromBucket(poolId, subject, nowMs, { most, everyMs: everyMs + 1_000 }),
      },
    })),
    script: [...askedByMail, wait(720), logIn(), logIn()],
  },
  {
    name: 'codes are sent without a limit for one source',
    parts: miswriting((real) => ({
      allowances: {
        takeFromBucket: async (poolId, subject, nowMs, bucket) =>
          bucket.most === 1 || real.allowances.takeFromBucket(poolId, subject, nowMs, bucket),
      },
    })),
    script: Array.from({ length: 6 }, () => choose('EMAIL_OTP')),
  },
];
