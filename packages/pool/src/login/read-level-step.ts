import { listAvailableChoices } from '../proofs/first-factors.ts';
import { listUsablePasskeys } from '../proofs/passkeys/passkey-options.ts';
import type { PoolReads } from '../store/pool-store.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import type { CurrentUser, LevelTarget, LoginStep } from './challenges/challenge.ts';
import type { DecisionInput } from './login-attempt.ts';
import { findHighestLevel, findLevelStep, type LevelFacts, type LevelStep } from './target-level.ts';

type Proven = Pick<DecisionInput, 'proofs' | 'userFactors'>;

/**
 * Reads in the deciding write what a login toward a level still needs. Other logins never get here.
 * @returns `credit_ended`: the login whose proofs would count has ended since
 */
export async function readLevelStep(
  reads: Pick<PoolReads, 'logins' | 'passkeys'>,
  { current, ...proven }: Proven & { readonly current: CurrentUser | undefined },
  step: LoginStep & { readonly target: LevelTarget },
): Promise<LevelStep | 'credit_ended' | undefined> {
  const { target } = step;
  if (current === undefined) return undefined;
  if (target.credit !== undefined) {
    const login = await reads.logins.byId(target.credit.loginId);
    if (login?.revokedAtMs !== null) return 'credit_ended';
  }
  return findLevelStep({ ...(await readLevelFacts(reads, { current, ...proven }, step)), target });
}

/** The highest level that a user can reach now; 0 for none. */
export async function readReachableLevel(
  reads: Pick<PoolReads, 'passkeys'>,
  proven: Proven & { readonly current: CurrentUser },
  step: LoginStep,
): Promise<number> {
  return findHighestLevel(await readLevelFacts(reads, proven, step));
}

async function readLevelFacts(
  reads: Pick<PoolReads, 'passkeys'>,
  { current, proofs, userFactors }: Proven & { readonly current: CurrentUser },
  step: LoginStep,
): Promise<Omit<LevelFacts, 'target'>> {
  const { ports, pool, candidate } = step;
  const passkeys = await listUsablePasskeys(reads, pool, current.user.username);
  const enrolled = { hasActiveTotp: userFactors.totp !== undefined, hasPasskeys: passkeys.length > 0 };
  const known = { ...step, candidate: createLoginCandidate(ports, pool, candidate.typedName, current) };
  const choices = listAvailableChoices(known, enrolled);
  return { settings: pool.settings, user: current.user, proofs, hasActiveTotp: enrolled.hasActiveTotp, choices };
}
