import type { FirstFactorChoice } from '../proofs/first-factors.ts';
import type { AcrLevel } from '../settings/acr-levels.ts';
import { listMfaMethodsInForce, type SecondFactorRequirement } from '../settings/second-factors.ts';
import type { MfaMethod, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { UserRecord } from '../store/records.ts';
import { type AuthenticationMethod, determineAcrLevel } from '../tokens/authentication-methods.ts';
import type { LevelTarget, ProofName } from './challenges/challenge.ts';
import { toAuthenticationMethods } from './login-methods.ts';

/** What is known about a user who signs in toward a level. */
export interface LevelFacts {
  readonly settings: PoolSettings;
  readonly user: UserRecord;
  readonly proofs: readonly ProofName[];
  readonly hasActiveTotp: boolean;
  /** The first factors that would currently prove this user. */
  readonly choices: readonly FirstFactorChoice[];
  readonly target: LevelTarget;
}

/**
 * What a login needs to reach its level.
 *
 * - `reached`: nothing more.
 * - `unreachable`: the user lacks the factors for every requested level.
 * - `second`: one of these second factors.
 * - `first`: one of these first factors, in addition to what is proven.
 */
export type LevelStep =
  | { readonly kind: 'reached' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'second'; readonly requirement: Extract<SecondFactorRequirement, { kind: 'choose' | 'one' }> }
  | { readonly kind: 'first'; readonly choices: readonly FirstFactorChoice[] };

const CHOICE_METHODS: Readonly<Record<FirstFactorChoice, AuthenticationMethod>> = {
  EMAIL_OTP: 'email_otp',
  PASSWORD: 'pwd',
  PASSWORD_SRP: 'pwd',
  SMS_OTP: 'sms',
  WEB_AUTHN: 'swk',
};

const MFA_METHODS: Readonly<Record<MfaMethod, AuthenticationMethod>> = {
  EMAIL_OTP: 'email_otp',
  SMS_MFA: 'sms',
  SOFTWARE_TOKEN_MFA: 'otp',
};

/** The second factor that a preferred challenge means after a first factor. */
const PREFERRED_MFA: Readonly<Record<string, MfaMethod>> = { EMAIL_OTP: 'EMAIL_OTP', SMS_OTP: 'SMS_MFA' };

/** Decides the next step, so that the login reaches the first requested level that the user can reach. A stronger level counts too. */
export function findLevelStep(facts: LevelFacts): LevelStep {
  const { target, proofs, choices } = facts;
  const proven = toAuthenticationMethods(proofs);
  const second = listSecondFactors(facts);
  const highest = findHighestLevel(facts);
  const aim = target.levels.find((level) => level <= highest);
  if (aim === undefined) return { kind: 'unreachable' };
  if (reaches(proven, aim)) return { kind: 'reached' };
  return chooseLevelStep(facts, {
    second: second.filter((method) => reaches([...proven, MFA_METHODS[method]], aim)),
    first: choices.filter((choice) => reaches([...proven, CHOICE_METHODS[choice]], aim)),
  });
}

/** The highest level that the user can reach with what is proven and every factor that the user has; 0 for none. */
export function findHighestLevel(facts: Omit<LevelFacts, 'target'>): number {
  const second = listSecondFactors(facts).map((method) => MFA_METHODS[method]);
  const first = facts.choices.map((choice) => CHOICE_METHODS[choice]);
  return determineAcrLevel([...toAuthenticationMethods(facts.proofs), ...second, ...first]) ?? 0;
}

function listSecondFactors({ settings, user, hasActiveTotp }: Omit<LevelFacts, 'target'>): readonly MfaMethod[] {
  return listMfaMethodsInForce(settings, user, hasActiveTotp);
}

/** The factors that are each sufficient on their own. */
interface SufficientFactors {
  readonly second: readonly MfaMethod[];
  readonly first: readonly FirstFactorChoice[];
}

/** If no single factor is enough, the password comes first, because every such level needs it. */
function chooseLevelStep({ user, choices, target }: LevelFacts, { second, first }: SufficientFactors): LevelStep {
  const preferredFirst = first.filter((choice) => choice === target.preferred);
  if (preferredFirst.length > 0) return { kind: 'first', choices: preferredFirst };
  const [only, other] = second;
  if (only !== undefined) {
    const preferred = [PREFERRED_MFA[target.preferred ?? ''], user.preferredMfa].find((method) =>
      second.some((one) => one === method),
    );
    const method = preferred ?? (other === undefined ? only : undefined);
    const requirement = method ? ({ kind: 'one', method } as const) : ({ kind: 'choose', methods: second } as const);
    return { kind: 'second', requirement };
  }
  if (first.length > 0) return { kind: 'first', choices: first };
  return { kind: 'first', choices: choices.filter((choice) => CHOICE_METHODS[choice] === 'pwd') };
}

function reaches(methods: Iterable<AuthenticationMethod>, aim: AcrLevel): boolean {
  return (determineAcrLevel(methods) ?? 0) >= aim;
}
