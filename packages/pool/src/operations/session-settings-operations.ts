import type { Input, Output } from '@poolgate/provider';
import type { EventPorts, StorePort, StoreWrites } from '../kernel/ports.ts';
import { DEFAULT_SSO_MINUTES } from '../settings/client-grants.ts';
import { DEFAULT_MAX_SESSIONS } from '../settings/default-settings.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { requireSessionTracking } from '../settings/session-tracking.ts';
import type { SettingsCachePort, SettingsPorts } from '../settings/settings-ports.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import type { OperationTable } from './operation-table.ts';
import { requireStoredClient, updateStoredClient } from './user-pool-client-operations.ts';
import { requireStoredPool, updateStoredPool } from './user-pool-operations.ts';

type SessionSettingsOperation =
  | 'getUserPoolClientSessionConfiguration'
  | 'getUserPoolSessionConfiguration'
  | 'setUserPoolClientSessionConfiguration'
  | 'setUserPoolSessionConfiguration';

/** Operations on a pool's session tracking. The caller was already authorized. */
export const sessionSettingsOperations: OperationTable<SessionSettingsOperation> = {
  async getUserPoolClientSessionConfiguration(ports, input) {
    return toClientSessionConfiguration(await requireStoredClient(ports.store, input));
  },
  async getUserPoolSessionConfiguration(ports, { UserPoolId }) {
    const { id, settings } = await requireStoredPool(ports, UserPoolId);
    return toPoolSessionConfiguration(id, settings);
  },
  setUserPoolClientSessionConfiguration: setClientSessions,
  setUserPoolSessionConfiguration: setPoolSessions,
};

/** As in Cognito, a pool without session settings does not track sessions. */
function toPoolSessionConfiguration(
  UserPoolId: string,
  { sessions }: PoolSettings,
): Output<'GetUserPoolSessionConfiguration'> {
  return {
    UserPoolId,
    UserSessionTracking: sessions?.tracked ? 'ENABLED' : 'DISABLED',
    TokenSession: { MaxPerUser: sessions?.mostPerUser ?? DEFAULT_MAX_SESSIONS },
  };
}

function toClientSessionConfiguration({ client }: PoolAndClient): Output<'GetUserPoolClientSessionConfiguration'> {
  const MaxValidityMinutes = client.settings.ssoMinutes ?? DEFAULT_SSO_MINUTES;
  return { UserPoolId: client.poolId, ClientId: client.id, SSOSession: { MaxValidityMinutes } };
}

async function setPoolSessions(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  { UserPoolId, UserSessionTracking, TokenSession }: Input<'SetUserPoolSessionConfiguration'>,
): Promise<Output<'SetUserPoolSessionConfiguration'>> {
  const sessions = { tracked: UserSessionTracking === 'ENABLED', mostPerUser: TokenSession.MaxPerUser };
  const changed = ({ settings }: PoolRecord) => ({ settings: { ...settings, sessions } });
  return toPoolSessionConfiguration(UserPoolId, await updateStoredPool(ports, UserPoolId, 'sessions', changed));
}

async function setClientSessions(
  ports: EventPorts & SettingsPorts & StorePort,
  { UserPoolId, ClientId, SSOSession }: Input<'SetUserPoolClientSessionConfiguration'>,
): Promise<Output<'SetUserPoolClientSessionConfiguration'>> {
  const ssoMinutes = SSOSession.MaxValidityMinutes;
  const after = await updateStoredClient(ports, { UserPoolId, ClientId }, 'client', ({ pool, client }) => {
    requireSessionTracking(pool);
    return { settings: { ...client.settings, ssoMinutes } };
  });
  return toClientSessionConfiguration(after);
}
