import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import type { TokenChanges } from '../tokens/override-claims.ts';
import { requestTokenChanges, type TokenTriggerInput } from '../tokens/token-changes.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { ProofName } from './challenges/challenge.ts';
import type { LoginDecision } from './login-decision.ts';

type TokensDecision = Extract<LoginDecision, { kind: 'tokens' }>;

/**
 * Calls the triggers between an open login and its tokens. They run after the login's write, and before any token is issued.
 * @throws {ProviderError} a trigger refuses, or cannot be called
 */
export async function invokePostLoginTriggers(decision: TokensDecision): Promise<TokenChanges> {
  await invokePostAuthentication(decision);
  const { step, proofs, user } = decision;
  const origin = { source: toTokenSource(proofs), clientMetadata: step.clientMetadata };
  return requestTokenChanges(step.ports, { ...step, user: user.user }, origin);
}

async function invokePostAuthentication({ step, user: { user }, newDevice }: TokensDecision): Promise<void> {
  const { ports, pool, client, clientMetadata } = step;
  const trigger = findConfiguredTrigger(pool.settings, 'PostAuthentication');
  if (trigger === undefined) return;
  await invokeTrigger(ports, trigger, {
    pool,
    clientId: client.id,
    source: 'PostAuthentication_Authentication',
    userName: user.username,
    request: { userAttributes: toTriggerAttributes(user), newDeviceUsed: newDevice !== undefined, clientMetadata },
  });
}

/** The last proof, where Cognito distinguishes it. */
const SOURCES: ReadonlyMap<ProofName | undefined, TokenTriggerInput['source']> = new Map([
  ['DEVICE_PASSWORD_VERIFIER', 'TokenGeneration_AuthenticateDevice'],
  ['NEW_PASSWORD_REQUIRED', 'TokenGeneration_NewPasswordChallenge'],
]);

function toTokenSource(proofs: readonly ProofName[]): TokenTriggerInput['source'] {
  return SOURCES.get(proofs.at(-1)) ?? 'TokenGeneration_Authentication';
}
