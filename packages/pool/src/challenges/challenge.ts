import type { ChallengeName, ProviderError } from '@poolgate/provider';
import type { GuessCounter } from '../domain/lockout.ts';
import type { Candidate } from '../domain/masking.ts';
import type { PoolAndClient } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { UserWithCredential } from '../store/records.ts';

/** Keys and values of `AuthParameters`, `ChallengeResponses` and `ChallengeParameters`. */
export type Parameters = Readonly<Record<string, string>>;

/** One step of a login, as every factor and challenge sees it. */
export interface LoginStep extends PoolAndClient {
  readonly context: PoolRuntime;
  readonly nowMs: number;
  /** Who is logging in; for an unknown name somebody who only looks like a user. */
  readonly candidate: Candidate;
  /** What the client sent with this step. */
  readonly sent: Parameters;
}

/** An answer, together with what the challenge kept when it was issued. */
export interface AnswerStep extends LoginStep {
  readonly state: Uint8Array;
}

/**
 * Writes what a proven answer brings about, inside the one write that decides the login.
 * It gets the user as read in that write and gives the user as it is afterwards. A rejection undoes the whole write.
 */
export type Effect = (transaction: PoolTransaction, user: UserWithCredential) => Promise<UserWithCredential>;

/**
 * What an answer is worth. It stays a secret until the deciding write has accepted it.
 *
 * - `proven`: right.
 * - `disproven`: wrong, and counted as a guess.
 * - `declined`: not acceptable, without having been a guess; the session can be answered again.
 */
export type Verdict =
  | { readonly outcome: 'proven'; readonly effect?: Effect }
  | { readonly outcome: 'disproven'; readonly error: ProviderError }
  | { readonly outcome: 'declined'; readonly error: ProviderError };

/** Something that proves who is logging in. */
export interface Factor {
  readonly name: ChallengeName;
  /** The counter of wrong answers; undefined where an answer cannot be guessed. */
  readonly counter: GuessCounter | undefined;
  /** Whether one wrong answer spends the session. */
  readonly spentByFailure: boolean;
  /**
   * Judges an answer and does nothing else: what follows is decided elsewhere.
   * Rejects with a `ProviderError` where the answer cannot be judged at all; then nothing has happened.
   */
  answer(step: AnswerStep): Verdict | Promise<Verdict>;
}

/** What a challenge gives out, and what it wants to find again with the answer. */
export interface Issued {
  readonly parameters: Parameters;
  /** Sealed into the session; the client cannot read it. */
  readonly state: Uint8Array;
}

/** Where the sealed session travels: as `Session`, or as the secret block that the answer's signature covers. */
export type CarrierName = 'session' | 'secretBlock';

/** A factor that is asked for by a challenge. */
export interface Challenge extends Factor {
  readonly carrier: CarrierName;
  issue(step: LoginStep): Issued | Promise<Issued>;
}
