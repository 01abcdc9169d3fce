import { Document, Scalar } from 'yaml';
import { isPlainObject, type Members, omitMembers } from '../resources/members.ts';
import { CLIENT_FILE_PARTS, POOL_FILE_CHILDREN, POOL_FILE_PARTS } from '../templates/read-pools-file.ts';
import type { ExportedPool, ExportedResource } from './read-pool.ts';

/** The options of writing a pool. */
export interface WriteOptions {
  /** Whether to write ids, which apply in development. */
  readonly withIds: boolean;
}

/** Returns a name that is unique among those before it. */
function chooseName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count += 1) if (!taken.has(`${wanted}-${count}`)) return `${wanted}-${count}`;
}

/** The environment variable of a secret that a file must not contain. */
export function formatSecretVariable(name: string, secret: string): string {
  return `${name}_${secret}`.replace(/\W+/g, '_').toUpperCase();
}

function createEnvTag(variable: string): Scalar {
  const scalar = new Scalar(variable);
  scalar.tag = '!Env';
  return scalar;
}

/** Secrets of other providers are required, so the file names a variable for each. New client secrets are generated. */
function withoutSecrets({ name, members }: ExportedResource): Members {
  const { ProviderDetails: details } = members;
  const rest = omitMembers(members, ['ClientSecret']);
  if (!isPlainObject(details)) return rest;
  const ProviderDetails = Object.fromEntries(
    Object.entries(details).map(([detail, value]) => [
      detail,
      SECRET_DETAILS.has(detail) ? createEnvTag(formatSecretVariable(name, detail)) : value,
    ]),
  );
  return { ...rest, ProviderDetails };
}

/** Secret members of `ProviderDetails`. */
export const SECRET_DETAILS: ReadonlySet<string> = new Set(['client_secret', 'private_key']);

/** Returns the parts of a pool or of one of its clients. */
function toParts(
  resources: readonly ExportedResource[],
  parts: ReadonlyMap<string, string>,
  clientId?: string,
): Readonly<Record<string, Members>> {
  const found = [...parts].flatMap(([member, type]) => {
    const part = resources.find((resource) => resource.type === type && resource.clientId === clientId);
    return part === undefined ? [] : [[member, part.members] as const];
  });
  return Object.fromEntries(found);
}

function toChildren(
  { resources }: ExportedPool,
  type: string,
  nameMember: string | undefined,
  { withIds }: WriteOptions,
): Readonly<Record<string, Members>> {
  const children: Record<string, Members> = {};
  for (const resource of resources.filter((each) => each.type === type)) {
    const name = chooseName(resource.name, new Set(Object.keys(children)));
    const own = omitMembers(withoutSecrets(resource), nameMember === undefined ? [] : [nameMember]);
    const parts = type === 'UserPoolClient' ? toParts(resources, CLIENT_FILE_PARTS, resource.id) : {};
    const members = { ...own, ...parts };
    children[name] = nameMember === undefined && withIds ? { Id: resource.id, ...members } : members;
  }
  return children;
}

/** Writes a pool as a file of Poolgate's own format. */
export function writePoolsFile(exported: ExportedPool, options: WriteOptions): string {
  const { pool, resources } = exported;
  const children = POOL_FILE_CHILDREN.flatMap(([member, { type, nameMember }]) => {
    const found = toChildren(exported, type, nameMember, options);
    return Object.keys(found).length === 0 ? [] : [[member, found] as const];
  });
  const key = pool.name.replace(/[^\w-]+/g, '-').replace(/^-+/, '') || 'pool';
  const members = {
    ...(options.withIds && { Id: pool.id }),
    ...pool.members,
    ...toParts(resources, POOL_FILE_PARTS),
    ...Object.fromEntries(children),
  };
  return new Document({ pools: { [key]: members } }).toString({ lineWidth: 0 });
}
