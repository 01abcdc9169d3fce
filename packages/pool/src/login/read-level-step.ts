import { listAvailableChoices } from '../proofs/first-factors.ts';
import { listUsablePasskeys } from '../proofs/passkeys/passkey-options.ts';
import type { PoolReads } from '../store/pool-store.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import type { LevelTarget, LoginStep } from './challenges/challenge.ts';
import type { DecisionInput } from './login-attempt.ts';
import { findLevelStep, type LevelStep } from './target-level.ts';

/**
 * Reads in the deciding write what a login toward a level still needs. Other logins never get here.
 * @returns `credit_ended`: the login whose proofs would count has ended since
 */
export async function readLevelStep(
  transaction: Pick<PoolReads, 'logins' | 'passkeys'>,
  { current, proofs, userFactors }: Pick<DecisionInput, 'current' | 'proofs' | 'userFactors'>,
  step: LoginStep & { readonly target: LevelTarget },
): Promise<LevelStep | 'credit_ended' | undefined> {
  const { ports, pool, candidate, target } = step;
  if (current === undefined) return undefined;
  if (target.credit !== undefined) {
    const login = await transaction.logins.byId(target.credit.loginId);
    if (login?.revokedAtMs !== null) return 'credit_ended';
  }
  const passkeys = await listUsablePasskeys(transaction, pool, current.user.username);
  const enrolled = { hasActiveTotp: userFactors.totp !== undefined, hasPasskeys: passkeys.length > 0 };
  const known = { ...step, candidate: createLoginCandidate(ports, pool, candidate.typedName, current) };
  const choices = listAvailableChoices(known, enrolled);
  const { settings } = pool;
  return findLevelStep({ settings, user: current.user, proofs, ...enrolled, choices, target });
}
