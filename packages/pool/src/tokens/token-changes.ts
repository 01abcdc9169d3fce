import { USER_SCOPE } from '@poolgate/provider';
import type { PoolAndClient } from '../pools/pools.ts';
import { configuredTokenTrigger } from '../triggers/configured.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { TriggerData, TriggerSource } from '../triggers/points.ts';
import type { TokenOverrides } from '../triggers/token-overrides.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { triggerAttributes } from '../users/trigger-attributes.ts';
import { requestAddedClaims } from './added-claims.ts';
import { groupRoles } from './group-roles.ts';
import type { TokenSubject } from './login.ts';
import type { TokenChanges } from './overridden-claims.ts';
import type { AddClaimsPort } from './token-ports.ts';

/** From what tokens come, as the trigger before them is told. */
export interface TokenOrigin {
  readonly source: TriggerSource<'PreTokenGeneration'>;
  /** Default: those of a token that comes from the API. */
  readonly scopes?: readonly string[];
  readonly clientMetadata?: TriggerData | undefined;
}

/**
 * Asks hook and trigger. Every issuer of a user's tokens asks before it signs, and signs nothing where one of them refuses.
 * @throws {ProviderError} `UserLambdaValidationException`, `UnexpectedLambdaException`, `InvalidLambdaResponseException`
 */
export async function requestTokenChanges(
  ports: TriggerPorts & AddClaimsPort,
  subject: TokenSubject,
  origin: TokenOrigin,
): Promise<TokenChanges> {
  const added = await requestAddedClaims(ports, subject);
  return { added, overrides: await askTokenTrigger(ports, subject, origin) };
}

/**
 * Asks the trigger about the access token of a machine, which stands for no user. Only version 3 of its event is about such tokens.
 * @throws {ProviderError} as {@link requestTokenChanges}
 */
export async function requestMachineOverrides(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  scopes: readonly string[],
  clientMetadata: TriggerData | undefined,
): Promise<TokenOverrides | undefined> {
  const trigger = configuredTokenTrigger(pool.settings);
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

async function askTokenTrigger(
  ports: TriggerPorts,
  { pool, client, user }: TokenSubject,
  { source, scopes = [USER_SCOPE], clientMetadata }: TokenOrigin,
): Promise<TokenOverrides | undefined> {
  const trigger = configuredTokenTrigger(pool.settings);
  if (trigger === undefined) return undefined;
  const { names, roles, preferredRole = null } = groupRoles(user);
  const request = {
    userAttributes: triggerAttributes(user),
    groupConfiguration: { groupsToOverride: names, iamRolesToOverride: roles, preferredRole },
    ...(trigger.kind === 'PreTokenGeneration' ? {} : { scopes }),
    clientMetadata,
  };
  return invokeTrigger(ports, trigger, { pool, clientId: client.id, source, userName: user.username, request });
}
