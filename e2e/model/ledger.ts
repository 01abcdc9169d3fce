import assert from 'node:assert/strict';
import { type GuessKind, owedBy, type Rules } from './policy.ts';
import type { ModelDevice, ModelUser, Proof } from './state.ts';
import type { TransitionId } from './transitions.ts';

const WINDOW_MS = 900_000;

/** The most wrong guesses in any quarter of an hour: ten codes, and as many passwords as Cognito's schedule lets through. */
const MAX_GUESSES = { code: 10, password: 15 } as const;

/** Names a time step of a user's authenticator. */
export function totpSecret({ username }: ModelUser, step: number): string {
  return `time step ${username} ${step}`;
}

/**
 * What a run must never show, written without a look at the table: who has tokens has proven all that is required, each secret
 * is good once, and nobody guesses more often than allowed.
 */
export class Ledger {
  readonly covered = new Set<TransitionId>();
  readonly #accepted = new Set<string>();
  readonly #guesses = new Map<string, number[]>();

  cover(id: TransitionId): void {
    this.covered.add(id);
  }

  /** A secret was accepted. */
  accept(secret: string): void {
    assert.ok(!this.#accepted.has(secret), `accepted twice: ${secret}`);
    this.#accepted.add(secret);
  }

  /** A wrong guess was looked at. */
  guessed(whose: string, kind: GuessKind, atMs: number): void {
    const key = `${kind} ${whose}`;
    const recent = [...(this.#guesses.get(key) ?? []), atMs].filter((guessMs) => guessMs > atMs - WINDOW_MS);
    this.#guesses.set(key, recent);
    assert.ok(
      recent.length <= MAX_GUESSES[kind === 'password' ? kind : 'code'],
      `${recent.length} wrong guesses in 15 minutes: ${key}`,
    );
  }

  /** The right secret was shown: wrong guesses before it were slips of who knows it. */
  known(whose: string, kind: GuessKind): void {
    this.#guesses.delete(`${kind} ${whose}`);
  }

  /** Tokens were given after these proofs of this user. */
  deserves(
    { user, proofs }: { readonly user: ModelUser; readonly proofs: readonly Proof[] },
    rules: Rules,
    device: ModelDevice | undefined,
  ): void {
    const isFirstProven = (['password', 'first code', 'triggers'] as const).some((proof) => proofs.includes(proof));
    assert.ok(isFirstProven, 'tokens without a first factor');
    assert.ok(!user.mustChangePassword, 'tokens on a temporary password');
    const isDeviceProven = proofs.includes('device') && device?.state === 'remembered';
    const isSecondProven = proofs.includes('second factor') || (isDeviceProven && rules.deviceReplacesMfa);
    const owed = owedBy(rules, user);
    assert.ok(owed === 'nothing' || isSecondProven, `tokens without the second factor ${owed}`);
  }
}
