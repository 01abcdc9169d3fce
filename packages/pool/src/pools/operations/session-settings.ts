import type { Input, Output } from '@poolgate/provider';
import type { EventPorts, StorePort, StoreWrites } from '../../kernel/ports.ts';
import { DEFAULT_SSO_MINUTES } from '../../oauth/client-grants.ts';
import type { OperationTable } from '../../operation-table.ts';
import type { PoolSettings } from '../../settings.ts';
import type { PoolRecord } from '../../store/records.ts';
import { DEFAULT_MAX_SESSIONS } from '../default-settings.ts';
import type { PoolAndClient } from '../pools.ts';
import { requireTracking } from '../session-tracking.ts';
import type { SettingsCachePort, SettingsPorts } from '../settings-ports.ts';
import { changeClient, storedClient } from './user-pool-clients.ts';
import { changePool, storedPool } from './user-pools.ts';

type SessionSettingsOperation =
  | 'getUserPoolClientSessionConfiguration'
  | 'getUserPoolSessionConfiguration'
  | 'setUserPoolClientSessionConfiguration'
  | 'setUserPoolSessionConfiguration';

/** The operations on how a pool keeps account of the logins of its users. The caller of them was checked before. */
export const sessionSettingsOperations: OperationTable<SessionSettingsOperation> = {
  async getUserPoolClientSessionConfiguration(ports, input) {
    return clientView(await storedClient(ports.store, input));
  },
  async getUserPoolSessionConfiguration(ports, { UserPoolId }) {
    const { id, settings } = await storedPool(ports, UserPoolId);
    return poolView(id, settings);
  },
  setUserPoolClientSessionConfiguration: setClientSessions,
  setUserPoolSessionConfiguration: setPoolSessions,
};

/** A pool that does not mention sessions does not track them, as in Cognito. */
function poolView(UserPoolId: string, { sessions }: PoolSettings): Output<'GetUserPoolSessionConfiguration'> {
  return {
    UserPoolId,
    UserSessionTracking: sessions?.tracked ? 'ENABLED' : 'DISABLED',
    TokenSession: { MaxPerUser: sessions?.mostPerUser ?? DEFAULT_MAX_SESSIONS },
  };
}

function clientView({ client }: PoolAndClient): Output<'GetUserPoolClientSessionConfiguration'> {
  const MaxValidityMinutes = client.settings.ssoMinutes ?? DEFAULT_SSO_MINUTES;
  return { UserPoolId: client.poolId, ClientId: client.id, SSOSession: { MaxValidityMinutes } };
}

async function setPoolSessions(
  ports: EventPorts & SettingsCachePort & StoreWrites<'events' | 'locks' | 'pools'>,
  { UserPoolId, UserSessionTracking, TokenSession }: Input<'SetUserPoolSessionConfiguration'>,
): Promise<Output<'SetUserPoolSessionConfiguration'>> {
  const sessions = { tracked: UserSessionTracking === 'ENABLED', mostPerUser: TokenSession.MaxPerUser };
  const changed = ({ settings }: PoolRecord) => ({ settings: { ...settings, sessions } });
  return poolView(UserPoolId, await changePool(ports, UserPoolId, 'sessions', changed));
}

async function setClientSessions(
  ports: EventPorts & SettingsPorts & StorePort,
  { UserPoolId, ClientId, SSOSession }: Input<'SetUserPoolClientSessionConfiguration'>,
): Promise<Output<'SetUserPoolClientSessionConfiguration'>> {
  const ssoMinutes = SSOSession.MaxValidityMinutes;
  const after = await changeClient(ports, { UserPoolId, ClientId }, 'client', ({ pool, client }) => {
    requireTracking(pool);
    return { settings: { ...client.settings, ssoMinutes } };
  });
  return clientView(after);
}
