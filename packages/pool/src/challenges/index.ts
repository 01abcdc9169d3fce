import type { ChallengeName } from '@poolgate/provider';
import type { Challenge } from './challenge.ts';
import { newPasswordRequired } from './new-password-required.ts';
import { passwordVerifier } from './password-verifier.ts';

/** The challenges that this pool can pose, by name. */
export const POOL_CHALLENGES = {
  NEW_PASSWORD_REQUIRED: newPasswordRequired,
  PASSWORD_VERIFIER: passwordVerifier,
} as const satisfies Partial<Record<ChallengeName, Challenge>>;

/** The name of a challenge that this pool can pose. */
export type PoolChallengeName = keyof typeof POOL_CHALLENGES;

/** The challenge of a name; undefined where this pool never poses it. */
export function poolChallenge(name: string): Challenge | undefined {
  return Object.hasOwn(POOL_CHALLENGES, name) ? POOL_CHALLENGES[name as PoolChallengeName] : undefined;
}
