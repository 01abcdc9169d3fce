import type { MfaMethod, Owed } from './transitions.ts';

/** How a service is set up, as far as the model must know. */
export interface Rules {
  readonly mfa: 'OFF' | 'OPTIONAL' | 'ON';
  readonly methods: readonly MfaMethod[];
  /** The factor that is unavailable because it recovers passwords. */
  readonly recoveryMethod: MfaMethod | undefined;
  readonly devices: 'off' | 'opt-in' | 'always';
  /** `ChallengeRequiredOnNewDevice`. */
  readonly deviceReplacesMfa: boolean;
  /** Whether the pool has the triggers of the model. */
  readonly triggers?: true;
}

const SECOND_MS = 1000;
const WINDOW_MS = 900 * SECOND_MS;

const DAY_MS = 24 * 3600 * SECOND_MS;

interface GuessLimit {
  readonly lockMs: (failures: number) => number;
  /** Guesses need a proven first factor. Then failures also count over thirty days, and devices have no separate counter. */
  readonly isBehindFirstFactor: boolean;
}

const passwords = (failures: number) => (failures < 5 ? 0 : Math.min(2 ** (failures - 5), 900) * SECOND_MS);
const codes = (failures: number) => (failures < 10 ? 0 : WINDOW_MS);
const month = (failures: number) => (failures < 100 ? 0 : Math.min(WINDOW_MS * 2 ** (failures - 100), DAY_MS));

const FIRST_CODE: GuessLimit = { lockMs: codes, isBehindFirstFactor: false };
const SECOND_CODE: GuessLimit = { lockMs: codes, isBehindFirstFactor: true };

/** Cognito's schedule for passwords, and ours for codes, separately for each factor (contract, limits). */
export const GUESS_LIMITS = {
  password: { lockMs: passwords, isBehindFirstFactor: false },
  EMAIL_OTP: FIRST_CODE,
  SMS_OTP: FIRST_CODE,
  EMAIL_MFA: SECOND_CODE,
  SMS_MFA: SECOND_CODE,
  SOFTWARE_TOKEN_MFA: SECOND_CODE,
  ENROLMENT: SECOND_CODE,
} as const satisfies Readonly<Record<string, GuessLimit>>;

/** What a guess is about. */
export type GuessKind = keyof typeof GUESS_LIMITS;

export const GUESS_KINDS = Object.keys(GUESS_LIMITS) as readonly GuessKind[];

const monthAt = (nowMs: number): number => Math.floor(nowMs / (30 * DAY_MS));

/** How often a secret of one user may be guessed, at all entry points together. */
export class GuessCounter {
  readonly #kind: GuessKind;
  #failures = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #lockedUntilMs = 0;
  readonly #ofMonths = new Map<number, number>();

  constructor(kind: GuessKind) {
    this.#kind = kind;
  }

  isLocked(nowMs: number): boolean {
    return this.#lockedUntilMs > nowMs;
  }

  /** How many parallel wrong guesses would be checked from now on. */
  leftBeforeLock(nowMs: number): number {
    if (this.isLocked(nowMs)) return 0;
    const failures = this.#standing(nowMs);
    let left = 1;
    while (GUESS_LIMITS[this.#kind].lockMs(failures + left) === 0) left += 1;
    return left;
  }

  /** Counts a guess. `locks` is true for a wrong one. Returns false while it is locked. */
  count(nowMs: number, locks: boolean): boolean {
    if (this.isLocked(nowMs)) return false;
    this.#failures = this.#standing(nowMs) + 1;
    this.#lastMs = nowMs;
    const { lockMs: lockOf, isBehindFirstFactor } = GUESS_LIMITS[this.#kind];
    const ofMonth = locks && isBehindFirstFactor ? month(this.#countMonth(nowMs)) : 0;
    const lockMs = locks ? Math.max(lockOf(this.#failures), ofMonth) : 0;
    this.#lockedUntilMs = lockMs > 0 ? nowMs + lockMs : 0;
    return true;
  }

  clear(): void {
    this.#failures = 0;
  }

  /** Ends the lockout, and resets the counts that caused it. */
  release(nowMs: number): void {
    this.#failures = 0;
    this.#lockedUntilMs = 0;
    this.#ofMonths.delete(monthAt(nowMs));
  }

  /** A right guess does not change it. */
  #countMonth(nowMs: number): number {
    const at = monthAt(nowMs);
    const failures = (this.#ofMonths.get(at) ?? 0) + 1;
    this.#ofMonths.set(at, failures);
    return failures;
  }

  #standing(nowMs: number): number {
    return this.#lastMs < nowMs - WINDOW_MS ? 0 : this.#failures;
  }
}

const HOUR_MS = 3600 * SECOND_MS;
const REFILL_MS = 720 * SECOND_MS;
const BUCKET_MS = 5 * REFILL_MS;

/** A message type with a limited number. */
export interface SendSubject {
  readonly name: string;
  /** Whether two may be sent in any hour. Otherwise five at once, then one more every twelve minutes. */
  readonly isOfSource: boolean;
}

/** The counter for a code that is sent after a first factor. */
export function secondFactorSends(kind: GuessKind): readonly SendSubject[] {
  return [{ name: kind, isOfSource: false }];
}

/**
 * The counters for a code instead of a password: the user or the claimed user, and the mailbox, which is the typed name for a decoy. One
 * address may cause two in any hour, and the model uses one address.
 */
export function firstFactorSends(kind: GuessKind, isOfAttacker: boolean, isDecoy: boolean): readonly SendSubject[] {
  const whose = isOfAttacker ? 'an attacker' : 'the user';
  const where = isDecoy || kind === 'EMAIL_OTP' ? 'the address' : 'the telephone';
  return [whose, where].map((what) => ({ name: `${kind} ${what}`, isOfSource: true }));
}

/** How often a code may be sent to one user. */
export class SendAllowance {
  readonly #sentAtMs = new Map<string, readonly number[]>();

  isSpent(subjects: readonly SendSubject[], nowMs: number): boolean {
    return subjects.some(({ name, isOfSource }) =>
      isOfSource ? this.#recent(name, nowMs).length >= 2 : this.#saved(name, nowMs) < REFILL_MS,
    );
  }

  /** Whether anything was sent in the last hour. */
  isTouched(nowMs: number): boolean {
    return [...this.#sentAtMs.keys()].some((name) => this.#recent(name, nowMs).length > 0);
  }

  take(subjects: readonly SendSubject[], nowMs: number): void {
    for (const { name } of subjects) this.#sentAtMs.set(name, [...(this.#sentAtMs.get(name) ?? []), nowMs]);
  }

  /** The saved time, of which each message costs twelve minutes. */
  #saved(name: string, nowMs: number): number {
    let saved = BUCKET_MS;
    let lastMs = 0;
    for (const atMs of this.#sentAtMs.get(name) ?? []) {
      saved = Math.min(BUCKET_MS, saved + atMs - lastMs) - REFILL_MS;
      lastMs = atMs;
    }
    return Math.min(BUCKET_MS, saved + nowMs - lastMs);
  }

  #recent(name: string, nowMs: number): readonly number[] {
    return (this.#sentAtMs.get(name) ?? []).filter((atMs) => atMs + HOUR_MS > nowMs);
  }
}

/** The part of a user that decides what a login still needs. */
export interface Factors {
  readonly hasTotp: boolean;
  readonly phone: string | undefined;
  readonly methods: ReadonlySet<MfaMethod>;
  readonly preferred: MfaMethod | undefined;
}

/** The second factors that a login may require of this user (Cognito's MFA step). */
export function usableFactors(rules: Rules, user: Factors): readonly MfaMethod[] {
  if (rules.mfa === 'OFF') return [];
  const has = { SOFTWARE_TOKEN_MFA: user.hasTotp, SMS_MFA: user.phone !== undefined, EMAIL_OTP: true };
  return rules.methods
    .filter((method) => has[method])
    .filter((method) => user.methods.has(method) || (rules.mfa === 'ON' && method !== rules.recoveryMethod));
}

/** What a login of this user still needs after the first factor. */
export function owedBy(rules: Rules, user: Factors): Owed {
  const usable = usableFactors(rules, user);
  if (user.preferred !== undefined && usable.includes(user.preferred)) return user.preferred;
  const [first, second] = usable;
  if (first === undefined) return rules.mfa === 'ON' ? 'set-up' : 'nothing';
  return second === undefined ? first : 'choice';
}
