import { type ConnectedApplication, ProviderError, type ProviderExtensions } from '@poolgate/provider';
import type { EventPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { findClient } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { LoginReads } from '../store/login-repository.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { ExtensionTable } from './operation-table.ts';

type ApplicationExtension = 'list_applications' | 'end_application';
type EndApplicationInput = Parameters<ProviderExtensions['end_application']>[0];

/** What users can do with the applications that act for them. */
export const applicationExtensions: ExtensionTable<ApplicationExtension> = {
  list_applications: (ports, input) => listApplications(ports, input.AccessToken),
  end_application: endApplication,
};

async function listApplications(
  ports: AccessTokenPorts & SettingsPorts & StoreReads<'logins'>,
  accessToken: string,
): Promise<Awaited<ReturnType<ProviderExtensions['list_applications']>>> {
  const { user } = await requireAccessToken(ports, accessToken);
  const grants = await listGrants(ports.store.logins, user, ports.clock.now());
  const applications = Map.groupBy(grants, ({ clientId }) => clientId);
  const described = await Promise.all(
    [...applications].map(async ([clientId, logins]) => {
      const client = await findClient(ports, clientId);
      return describeApplication(clientId, client?.name ?? clientId, logins);
    }),
  );
  return { Applications: described.toSorted((one, other) => other.LastUsedAt - one.LastUsedAt) };
}

const toLastUse = ({ rotatedAtMs, createdAtMs }: LoginRecord): number => rotatedAtMs ?? createdAtMs;

function describeApplication(
  ClientId: string,
  ClientName: string,
  logins: readonly LoginRecord[],
): ConnectedApplication {
  return {
    ClientId,
    ClientName,
    Scopes: [...new Set(logins.flatMap(({ scope }) => scope?.split(' ') ?? []))].sort(),
    Grants: logins.length,
    ConnectedAt: Math.min(...logins.map(({ createdAtMs }) => createdAtMs)) / 1000,
    LastUsedAt: Math.max(...logins.map(toLastUse)) / 1000,
  };
}

/** All in one write, so that no grant that exists then remains. */
async function endApplication(
  ports: AccessTokenPorts & EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { AccessToken, ClientId }: EndApplicationInput,
): Promise<Awaited<ReturnType<ProviderExtensions['end_application']>>> {
  const access = await requireAccessToken(ports, AccessToken);
  const { pool, user } = access;
  const ended = await ports.store.write(async (transaction) => {
    await lockAuthorizedUser(transaction, access);
    const grants = await listGrants(transaction.logins, user, ports.clock.now());
    const ids: string[] = [];
    for (const login of grants) {
      if (login.clientId === ClientId && (await revokeLogin(ports, transaction, pool, login))) ids.push(login.id);
    }
    return ids;
  });
  if (ended.length > 0) return { Ended: ended };
  throw new ProviderError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`);
}

const PAGE = 60;

/** The user's active logins through OAuth. A login through the API has no scope. */
async function listGrants(
  logins: Pick<LoginReads, 'listActive'>,
  { poolId, username }: Pick<UserRecord, 'poolId' | 'username'>,
  nowMs: number,
): Promise<readonly LoginRecord[]> {
  const grants: LoginRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await logins.listActive(poolId, username, nowMs, PAGE, cursor);
    grants.push(...page.rows.filter(({ scope }) => scope !== null));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return grants;
}
