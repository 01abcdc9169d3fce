import type { CallContext, ProviderOperations } from '@poolgate/provider';
import { CommandError } from '../../command-line/command.ts';
import { isPlainObject, type Members, omitMembers } from '../resources/members.ts';
import { ALL_CLIENTS } from '../resources/pool-appearance.ts';
import type { ResourceReadPorts } from '../resources/resource-type.ts';
import { requireResourceType } from '../resources/resource-types.ts';

/** A resource of an existing pool. */
export interface ExportedResource {
  /** Its id within the pool. */
  readonly id: string;
  /** A name for the file. */
  readonly name: string;
  readonly type: string;
  readonly members: Members;
  /** The app client that it belongs to; undefined for resources of the whole pool. */
  readonly clientId?: string;
}

/** An existing pool with its resources, without users. */
export interface ExportedPool {
  readonly pool: ExportedResource;
  readonly resources: readonly ExportedResource[];
}

/** Returns every item of a paginated list. */
async function listAll<Item>(
  readPage: (
    token: string | undefined,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  let token: string | undefined;
  do {
    const { items, next } = await readPage(token);
    all.push(...items);
    token = next;
  } while (token !== undefined);
  return all;
}

/** Kinds of resources that a pool has once for all clients. */
const PARTS_OF_POOL = ['UserPoolUICustomizationAttachment', 'UserPoolRiskConfigurationAttachment'] as const;
const PARTS_OF_CLIENT = ['ManagedLoginBranding', ...PARTS_OF_POOL] as const;

/** Members of a style that the service chooses. */
const CHOSEN = ['UserPoolId', 'ClientId', 'ManagedLoginBrandingId'];

/** Reads the styles and the stored configurations of a pool and its clients. */
async function readParts(
  ports: ResourceReadPorts,
  poolId: string,
  clients: readonly Pick<ExportedResource, 'id' | 'name'>[],
): Promise<readonly ExportedResource[]> {
  const places = [
    { type: 'LogDeliveryConfiguration', id: poolId, name: '' },
    ...PARTS_OF_POOL.map((type) => ({ type, id: ALL_CLIENTS, name: '' })),
    ...clients.flatMap(({ id, name }) => PARTS_OF_CLIENT.map((type) => ({ type, id, name, clientId: id }))),
  ];
  const parts: ExportedResource[] = [];
  for (const place of places) {
    const found = await requireResourceType(place.type).find(ports, { poolId, physicalId: place.id });
    if (found !== undefined) parts.push({ ...place, members: withoutEmpty(omitMembers(found, CHOSEN)) });
  }
  return parts;
}

const toToken = (token: string | undefined) => (token === undefined ? {} : { NextToken: token });

async function listIds(
  { operations, call }: ResourceReadPorts,
  UserPoolId: string,
  pool: { readonly Domain?: string; readonly CustomDomain?: string },
): Promise<readonly (readonly [type: string, id: string])[]> {
  const servers = await listAll(async (token) => {
    const page = await operations.listResourceServers({ UserPoolId, MaxResults: 50, ...toToken(token) }, call);
    return { items: page.ResourceServers.map(({ Identifier = '' }) => Identifier), next: page.NextToken };
  });
  const providers = await listAll(async (token) => {
    const page = await operations.listIdentityProviders({ UserPoolId, MaxResults: 60, ...toToken(token) }, call);
    return { items: page.Providers.map(({ ProviderName = '' }) => ProviderName), next: page.NextToken };
  });
  const clients = await listAll(async (token) => {
    const page = await operations.listUserPoolClients({ UserPoolId, MaxResults: 60, ...toToken(token) }, call);
    return { items: (page.UserPoolClients ?? []).map(({ ClientId = '' }) => ClientId), next: page.NextToken };
  });
  const groups = await listAll(async (token) => {
    const page = await operations.listGroups({ UserPoolId, Limit: 60, ...toToken(token) }, call);
    return { items: (page.Groups ?? []).map(({ GroupName = '' }) => GroupName), next: page.NextToken };
  });
  const domains = [pool.Domain, pool.CustomDomain].filter((name) => name !== undefined);
  return [
    ...domains.map((id) => ['UserPoolDomain', id] as const),
    ...servers.map((id) => ['UserPoolResourceServer', id] as const),
    ...providers.map((id) => ['UserPoolIdentityProvider', id] as const),
    ...clients.map((id) => ['UserPoolClient', id] as const),
    ...groups.map((id) => ['UserPoolGroup', id] as const),
  ];
}

/** Returns the attributes of a schema that a new pool must declare: custom ones, and required standard ones. */
function toSchema(schema: unknown): readonly Members[] {
  const attributes = Array.isArray(schema) ? schema.filter(isPlainObject) : [];
  return attributes
    .filter(({ Name, Required }) => String(Name).includes(':') || (Required === true && Name !== 'sub'))
    .map((attribute) => ({ ...attribute, Name: String(attribute.Name).replace(/^(?:dev:)?custom:/, '') }));
}

/** Omits empty members. */
function withoutEmpty(members: Members): Members {
  const isEmpty = (value: unknown) =>
    (Array.isArray(value) && value.length === 0) || (isPlainObject(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => FULL.has(name) || !isEmpty(value)));
}

/** Members that have a meaning even if they are empty. */
const FULL: ReadonlySet<string> = new Set(['EmailMfaConfiguration', 'SmsMfaConfiguration']);

function toPoolMembers(found: Members): Members {
  const { AdminCreateUserConfig: config } = found;
  // The password policy contains the same days, and in the newer API only there.
  const AdminCreateUserConfig = isPlainObject(config) ? omitMembers(config, ['UnusedAccountValidityDays']) : undefined;
  return withoutEmpty(omitMembers({ ...found, Schema: toSchema(found.Schema), AdminCreateUserConfig }, []));
}

/**
 * Reads an existing pool with its resources.
 * @throws {CommandError} there is no such pool
 */
export async function readPool(
  operations: ProviderOperations,
  call: CallContext,
  userPoolId: string,
): Promise<ExportedPool> {
  const ports: ResourceReadPorts = { operations, call };
  const ids = { poolId: userPoolId, physicalId: userPoolId };
  const found = await requireResourceType('UserPool').find(ports, ids);
  if (found === undefined) throw new CommandError(`there is no user pool ${userPoolId}`);
  const { UserPool = {} } = await operations.describeUserPool({ UserPoolId: userPoolId }, call);
  const resources: ExportedResource[] = [];
  for (const [type, id] of await listIds(ports, userPoolId, UserPool)) {
    const members = await requireResourceType(type).find(ports, { poolId: userPoolId, physicalId: id });
    if (members === undefined) continue;
    const name = type === 'UserPoolClient' ? String(members.ClientName ?? id) : id;
    resources.push({ id, name, type, members: withoutEmpty(omitMembers(members, ['UserPoolId'])) });
  }
  const clients = resources.filter(({ type }) => type === 'UserPoolClient');
  resources.push(...(await readParts(ports, userPoolId, clients)));
  const name = String(found.PoolName ?? userPoolId);
  return { pool: { id: userPoolId, name, type: 'UserPool', members: toPoolMembers(found) }, resources };
}
