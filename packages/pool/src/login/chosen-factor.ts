import { CHALLENGES } from '@poolgate/provider';
import { requireFirstFactorChoice } from '../proofs/first-factors.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { Challenge, ParameterMap } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';

/**
 * Returns what verifies the choice of a first factor: the factor itself if its input was sent along, else the list of choices, which leads
 * to the factor's challenge.
 * @throws {ProviderError} `InvalidParameterException`: this pool does not offer it
 */
export function resolveChosenFactor(settings: PoolSettings, name: string, sent: ParameterMap): Challenge {
  const factor: Challenge = POOL_CHALLENGES[requireFirstFactorChoice(settings, name)];
  const isComplete = CHALLENGES[factor.cognitoName].answer.required.every((key) => Object.hasOwn(sent, key));
  return factor.answersChoice && isComplete ? factor : POOL_CHALLENGES.SELECT_CHALLENGE;
}
