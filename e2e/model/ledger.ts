import assert from 'node:assert/strict';
import { type GuessKind, owedBy, type Rules } from './policy.ts';
import type { ModelDevice, ModelUser, Proof } from './state.ts';
import type { TransitionId } from './transitions.ts';

const WINDOW_MS = 900_000;

/** The maximum number of wrong guesses in any 15 minutes: ten codes, and as many passwords as Cognito's schedule allows. */
const MAX_GUESSES = { code: 10, password: 15 } as const;

/** Names a time step of a user's authenticator. */
export function totpSecret({ username }: ModelUser, step: number): string {
  return `time step ${username} ${step}`;
}

/**
 * What a run must never show, written independently of the table: tokens only after all required proofs, single use of each secret, and no
 * more guesses than allowed.
 */
export class Ledger {
  readonly covered = new Set<TransitionId>();
  readonly #accepted = new Set<string>();
  readonly #guesses = new Map<string, number[]>();

  cover(id: TransitionId): void {
    this.covered.add(id);
  }

  /** Records that a secret was accepted. */
  accept(secret: string): void {
    assert.ok(!this.#accepted.has(secret), `accepted twice: ${secret}`);
    this.#accepted.add(secret);
  }

  /** Records a wrong guess that was checked. */
  guessed(whose: string, kind: GuessKind, atMs: number): void {
    const key = `${kind} ${whose}`;
    const recent = [...(this.#guesses.get(key) ?? []), atMs].filter((guessMs) => guessMs > atMs - WINDOW_MS);
    this.#guesses.set(key, recent);
    assert.ok(
      recent.length <= MAX_GUESSES[kind === 'password' ? kind : 'code'],
      `${recent.length} wrong guesses in 15 minutes: ${key}`,
    );
  }

  /** Records that the right secret was shown, so earlier wrong guesses were mistakes of its owner. */
  known(whose: string, kind: GuessKind): void {
    this.#guesses.delete(`${kind} ${whose}`);
  }

  /** Records that tokens were issued after these proofs of this user. */
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
