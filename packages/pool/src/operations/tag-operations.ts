import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreWrites } from '../kernel/ports.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import { resolveArnAccount } from '../settings/arns.ts';
import { formatPoolArn } from '../settings/cognito-user-pool.ts';
import { findTagProblem } from '../settings/pool-settings-input.ts';
import type { AccountPort, SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';
import type { OperationTable } from './operation-table.ts';

type TagOperation = 'listTagsForResource' | 'tagResource' | 'untagResource';
type Tags = Readonly<Record<string, string>>;

/** Operations on the tags of pools. The caller was already authorized. */
export const tagOperations: OperationTable<TagOperation> = {
  async listTagsForResource(ports, { ResourceArn }) {
    return { Tags: (await requirePoolByArn(ports, ports.store, ResourceArn)).settings.tags ?? {} };
  },
  tagResource: (ports, input) => changeTags(ports, input, (tags) => ({ ...tags, ...input.Tags })),
  untagResource: (ports, input) =>
    changeTags(ports, input, (tags) =>
      Object.fromEntries(Object.entries(tags).filter(([key]) => !input.TagKeys.includes(key))),
    ),
};

/** @throws {ProviderError} `ResourceNotFoundException` */
async function requirePoolByArn(ports: AccountPort, reads: Pick<PoolReads, 'pools'>, arn: string): Promise<PoolRecord> {
  const [, id] = /:userpool\/([\w-]+_[0-9a-zA-Z]+)$/.exec(arn) ?? [];
  const pool = id === undefined ? undefined : await reads.pools.byId(id);
  if (pool !== undefined && formatPoolArn(pool, resolveArnAccount(ports)) === arn) return pool;
  throw new ProviderError('ResourceNotFoundException', 'The resource does not exist.', { reason: 'pool_not_found' });
}

async function changeTags(
  ports: EventPorts & SettingsCachePort & AccountPort & StoreWrites<'events' | 'locks' | 'pools'>,
  { ResourceArn }: Pick<Input<'TagResource'>, 'ResourceArn'>,
  changed: (tags: Tags) => Tags,
): Promise<Output<'TagResource'>> {
  const { id } = await ports.store.write(async (transaction) => {
    const modifiedAtMs = ports.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const pool = await requirePoolByArn(ports, transaction, ResourceArn);
    const tags = changed(pool.settings.tags ?? {});
    const problem = findTagProblem(tags);
    if (problem !== undefined) throw new ProviderError('InvalidParameterException', problem);
    await transaction.pools.update(pool.id, { settings: { ...pool.settings, tags }, modifiedAtMs });
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'tags' } });
    return pool;
  });
  ports.settingsCache.pools.delete(id);
  return {};
}
