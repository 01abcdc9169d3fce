import { Document, Scalar } from 'yaml';
import { isPlainObject, type Members, omitMembers } from '../resources/members.ts';
import { POOL_FILE_CHILDREN } from '../templates/read-pools-file.ts';
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

function toChildren(
  resources: readonly ExportedResource[],
  nameMember: string | undefined,
  { withIds }: WriteOptions,
): Readonly<Record<string, Members>> {
  const children: Record<string, Members> = {};
  for (const resource of resources) {
    const name = chooseName(resource.name, new Set(Object.keys(children)));
    const members = omitMembers(withoutSecrets(resource), nameMember === undefined ? [] : [nameMember]);
    children[name] = nameMember === undefined && withIds ? { Id: resource.id, ...members } : members;
  }
  return children;
}

/** Writes a pool as a file of Poolgate's own format. */
export function writePoolsFile({ pool, resources }: ExportedPool, options: WriteOptions): string {
  const children = POOL_FILE_CHILDREN.flatMap(([member, { type, nameMember }]) => {
    const ofType = resources.filter((resource) => resource.type === type);
    return ofType.length === 0 ? [] : [[member, toChildren(ofType, nameMember, options)] as const];
  });
  const key = pool.name.replace(/[^\w-]+/g, '-').replace(/^-+/, '') || 'pool';
  const members = { ...(options.withIds && { Id: pool.id }), ...pool.members, ...Object.fromEntries(children) };
  return new Document({ pools: { [key]: members } }).toString({ lineWidth: 0 });
}
