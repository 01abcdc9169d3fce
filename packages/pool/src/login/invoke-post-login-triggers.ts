import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import type { TokenChanges } from '../tokens/override-claims.ts';
import { requestTokenChanges, type TokenTriggerInput } from '../tokens/token-changes.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { ProofName } from './challenges/challenge.ts';
import type { LoginDecision } from './login-decision.ts';

type TokensDecision = Extract<LoginDecision, { kind: 'tokens' }>;

/**
 * Asks the triggers that stand between a login that is open and its tokens. They are asked once its write has ended, and before anybody has a token.
 * @throws {ProviderError} one of them refuses, or cannot be asked
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

/** What the last proof was, where Cognito tells it apart. */
const SOURCES: ReadonlyMap<ProofName | undefined, TokenTriggerInput['source']> = new Map([
  ['DEVICE_PASSWORD_VERIFIER', 'TokenGeneration_AuthenticateDevice'],
  ['NEW_PASSWORD_REQUIRED', 'TokenGeneration_NewPasswordChallenge'],
]);

function toTokenSource(proofs: readonly ProofName[]): TokenTriggerInput['source'] {
  return SOURCES.get(proofs.at(-1)) ?? 'TokenGeneration_Authentication';
}
