import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import { lockSettings } from '../../factors/locks.ts';
import type { OperationTable } from '../../operation-table.ts';
import type { PoolRuntime } from '../../runtime.ts';
import type { PoolReads } from '../../store/pool-store.ts';
import type { PoolRecord } from '../../store/records.ts';
import { arnAccount } from '../arns.ts';
import { tagProblem } from '../pool-settings-input.ts';
import { poolArn } from '../pool-view.ts';

type TagOperation = 'listTagsForResource' | 'tagResource' | 'untagResource';
type Tags = Readonly<Record<string, string>>;

/** The operations on tags of pools. The caller of them was checked before. */
export const tagOperations: OperationTable<TagOperation> = {
  async listTagsForResource(context, { ResourceArn }) {
    return { Tags: (await poolAt(context, context.store, ResourceArn)).settings.tags ?? {} };
  },
  tagResource: (context, input) => changeTags(context, input, (tags) => ({ ...tags, ...input.Tags })),
  untagResource: (context, input) =>
    changeTags(context, input, (tags) =>
      Object.fromEntries(Object.entries(tags).filter(([key]) => !input.TagKeys.includes(key))),
    ),
};

/** @throws {ProviderError} `ResourceNotFoundException` */
async function poolAt(context: PoolRuntime, reads: PoolReads, arn: string): Promise<PoolRecord> {
  const [, id] = /:userpool\/([\w-]+_[0-9a-zA-Z]+)$/.exec(arn) ?? [];
  const pool = id === undefined ? undefined : await reads.pools.byId(id);
  if (pool !== undefined && poolArn(pool, arnAccount(context)) === arn) return pool;
  throw new ProviderError('ResourceNotFoundException', 'The resource does not exist.', { reason: 'pool_not_found' });
}

async function changeTags(
  context: PoolRuntime,
  { ResourceArn }: Pick<Input<'TagResource'>, 'ResourceArn'>,
  changed: (tags: Tags) => Tags,
): Promise<Output<'TagResource'>> {
  const { id } = await context.store.write(async (transaction) => {
    const modifiedAtMs = context.clock.now();
    await lockSettings(transaction, modifiedAtMs);
    const pool = await poolAt(context, transaction, ResourceArn);
    const tags = changed(pool.settings.tags ?? {});
    const problem = tagProblem(tags);
    if (problem !== undefined) throw new ProviderError('InvalidParameterException', problem);
    await transaction.pools.update(pool.id, { settings: { ...pool.settings, tags }, modifiedAtMs });
    await recordEvent(context, transaction, { type: 'pool.updated', pool, details: { what: 'tags' } });
    return pool;
  });
  context.caches.pools.delete(id);
  return {};
}
