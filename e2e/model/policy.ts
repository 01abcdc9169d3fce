import type { MfaMethod, Owed } from './transitions.ts';

/** How a service is set up, as far as the model must know. */
export interface Rules {
  readonly mfa: 'OFF' | 'OPTIONAL' | 'ON';
  readonly methods: readonly MfaMethod[];
  /** The factor that goes where passwords are recovered. */
  readonly recoveryMethod: MfaMethod | undefined;
  readonly devices: 'off' | 'opt-in' | 'always';
  /** `ChallengeRequiredOnNewDevice`. */
  readonly deviceReplacesMfa: boolean;
}

const SECOND_MS = 1000;
const WINDOW_MS = 900 * SECOND_MS;

/** Cognito's schedule for passwords, and ours for codes (contract, limits). */
const LOCK_MS = {
  password: (failures: number) => (failures < 5 ? 0 : Math.min(2 ** (failures - 5), 900) * SECOND_MS),
  code: (failures: number) => (failures < 10 ? 0 : WINDOW_MS),
} as const;

/** What is guessed at. */
export type GuessKind = keyof typeof LOCK_MS;

/** How often a secret of one user may be guessed at, over all doors. */
export class GuessCounter {
  readonly #kind: GuessKind;
  #failures = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #lockedUntilMs = 0;

  constructor(kind: GuessKind) {
    this.#kind = kind;
  }

  isLocked(nowMs: number): boolean {
    return this.#lockedUntilMs > nowMs;
  }

  /** How many wrong guesses at once would be looked at from now on. */
  leftBeforeLock(nowMs: number): number {
    if (this.isLocked(nowMs)) return 0;
    const failures = this.#standing(nowMs);
    let left = 1;
    while (LOCK_MS[this.#kind](failures + left) === 0) left += 1;
    return left;
  }

  /** Counts a guess; `locks` where it was a wrong one. False while it is locked. */
  count(nowMs: number, locks: boolean): boolean {
    if (this.isLocked(nowMs)) return false;
    this.#failures = this.#standing(nowMs) + 1;
    this.#lastMs = nowMs;
    const lockMs = locks ? LOCK_MS[this.#kind](this.#failures) : 0;
    this.#lockedUntilMs = lockMs > 0 ? nowMs + lockMs : 0;
    return true;
  }

  clear(): void {
    this.#failures = 0;
  }

  #standing(nowMs: number): number {
    return this.#lastMs < nowMs - WINDOW_MS ? 0 : this.#failures;
  }
}

const HOUR_MS = 3600 * SECOND_MS;
const SENDS_AN_HOUR = 5;

/** How often a code may be sent to one user. */
export class SendAllowance {
  #sentAtMs: number[] = [];

  isSpent(nowMs: number): boolean {
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => atMs + HOUR_MS > nowMs);
    return this.#sentAtMs.length >= SENDS_AN_HOUR;
  }

  take(nowMs: number): void {
    this.#sentAtMs.push(nowMs);
  }
}

/** The part of a user that decides what a login owes. */
export interface Factors {
  readonly hasTotp: boolean;
  readonly phone: string | undefined;
  readonly methods: ReadonlySet<MfaMethod>;
  readonly preferred: MfaMethod | undefined;
}

/** The second factors that a login may ask this user for (Cognito's MFA step). */
export function usableFactors(rules: Rules, user: Factors): readonly MfaMethod[] {
  if (rules.mfa === 'OFF') return [];
  const has = { SOFTWARE_TOKEN_MFA: user.hasTotp, SMS_MFA: user.phone !== undefined, EMAIL_OTP: true };
  return rules.methods
    .filter((method) => has[method])
    .filter((method) => user.methods.has(method) || (rules.mfa === 'ON' && method !== rules.recoveryMethod));
}

/** What a login of this user owes after the first factor. */
export function owedBy(rules: Rules, user: Factors): Owed {
  const usable = usableFactors(rules, user);
  if (user.preferred !== undefined && usable.includes(user.preferred)) return user.preferred;
  const [first, second] = usable;
  if (first === undefined) return rules.mfa === 'ON' ? 'set-up' : 'nothing';
  return second === undefined ? first : 'choice';
}
