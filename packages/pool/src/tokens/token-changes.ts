import { USER_SCOPE } from '@poolgate/provider';
import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { findTokenTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { TokenOverrides } from '../triggers/token-overrides.ts';
import type { TriggerData, TriggerSource } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { requestAddedClaims } from './added-claims.ts';
import { toGroupRoles } from './group-roles.ts';
import type { TokenSubject } from './login-tokens.ts';
import type { TokenChanges } from './override-claims.ts';
import type { AddClaimsPort } from './token-ports.ts';

/** The origin of tokens, as the pre-token trigger receives it. */
export interface TokenTriggerInput {
  readonly source: TriggerSource<'PreTokenGeneration'>;
  /** Default: the scopes of a token from the API. */
  readonly scopes?: readonly string[];
  readonly clientMetadata?: TriggerData | undefined;
}

/**
 * Asks hook and trigger. Every issuer of a user's tokens must call it before signing, and sign nothing if either refuses.
 * @throws {ProviderError} `UserLambdaValidationException`, `UnexpectedLambdaException`, `InvalidLambdaResponseException`
 */
export async function requestTokenChanges(
  ports: TriggerPorts & AddClaimsPort,
  subject: TokenSubject,
  origin: TokenTriggerInput,
): Promise<TokenChanges> {
  const added = await requestAddedClaims(ports, subject);
  return { added, overrides: await invokePreTokenGeneration(ports, subject, origin) };
}

/**
 * Asks the trigger about a machine's access token, which belongs to no user. Only version 3 of its event covers such tokens.
 * @throws {ProviderError} as {@link requestTokenChanges}
 */
export async function requestClientTokenOverrides(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  scopes: readonly string[],
  clientMetadata: TriggerData | undefined,
): Promise<TokenOverrides | undefined> {
  const trigger = findTokenTrigger(pool.settings);
  if (trigger?.kind !== 'PreTokenGenerationV3') return undefined;
  const groupConfiguration = { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null };
  return invokeTrigger(
    ports,
    { ...trigger, kind: trigger.kind },
    {
      pool,
      clientId: client.id,
      source: 'TokenGeneration_ClientCredentials',
      userName: client.id,
      request: { userAttributes: {}, scopes, groupConfiguration, clientMetadata },
    },
  );
}

async function invokePreTokenGeneration(
  ports: TriggerPorts,
  { pool, client, user }: TokenSubject,
  { source, scopes = [USER_SCOPE], clientMetadata }: TokenTriggerInput,
): Promise<TokenOverrides | undefined> {
  const trigger = findTokenTrigger(pool.settings);
  if (trigger === undefined) return undefined;
  const { names, roles, preferredRole = null } = toGroupRoles(user);
  const request = {
    userAttributes: toTriggerAttributes(user),
    groupConfiguration: { groupsToOverride: names, iamRolesToOverride: roles, preferredRole },
    ...(trigger.kind === 'PreTokenGeneration' ? {} : { scopes }),
    clientMetadata,
  };
  return invokeTrigger(ports, trigger, { pool, clientId: client.id, source, userName: user.username, request });
}
