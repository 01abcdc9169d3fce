import type { TokenChanges } from '../tokens/overridden-claims.ts';
import { requestTokenChanges, type TokenOrigin } from '../tokens/token-changes.ts';
import { configuredTrigger } from '../triggers/configured.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import { triggerAttributes } from '../users/trigger-attributes.ts';
import type { ProofName } from './challenges/challenge.ts';
import type { Decision } from './decision.ts';

type OpenedLogin = Extract<Decision, { kind: 'tokens' }>;

/**
 * Asks the triggers that stand between a login that is open and its tokens. They are asked once its write has ended, and before anybody has a token.
 * @throws {ProviderError} one of them refuses, or cannot be asked
 */
export async function askBeforeTokens(opened: OpenedLogin): Promise<TokenChanges> {
  await askPostAuthentication(opened);
  const { step, proofs, user } = opened;
  const origin = { source: tokenSource(proofs), clientMetadata: step.clientMetadata };
  return requestTokenChanges(step.ports, { ...step, user: user.user }, origin);
}

async function askPostAuthentication({ step, user: { user }, newDevice }: OpenedLogin): Promise<void> {
  const { ports, pool, client, clientMetadata } = step;
  const trigger = configuredTrigger(pool.settings, 'PostAuthentication');
  if (trigger === undefined) return;
  await invokeTrigger(ports, trigger, {
    pool,
    clientId: client.id,
    source: 'PostAuthentication_Authentication',
    userName: user.username,
    request: { userAttributes: triggerAttributes(user), newDeviceUsed: newDevice !== undefined, clientMetadata },
  });
}

/** What the last proof was, where Cognito tells it apart. */
const SOURCES: ReadonlyMap<ProofName | undefined, TokenOrigin['source']> = new Map([
  ['DEVICE_PASSWORD_VERIFIER', 'TokenGeneration_AuthenticateDevice'],
  ['NEW_PASSWORD_REQUIRED', 'TokenGeneration_NewPasswordChallenge'],
]);

function tokenSource(proofs: readonly ProofName[]): TokenOrigin['source'] {
  return SOURCES.get(proofs.at(-1)) ?? 'TokenGeneration_Authentication';
}
