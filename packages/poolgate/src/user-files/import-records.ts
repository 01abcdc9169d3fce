import { createHash } from 'node:crypto';
import type { EmbeddedPool, ImportedUser, ImportOutcome } from '@poolgate/pool';
import { ProviderError } from '@poolgate/provider';
import { CommandError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { FileRecord, Rejection } from './file-record.ts';
import type { Rejects } from './rejects.ts';

/** The number of users per write. */
const BATCH = 200;

/** The dependencies of an import. */
export interface ImportTask {
  readonly pool: Pick<EmbeddedPool, 'importUsers' | 'operations'>;
  readonly records: AsyncIterable<FileRecord>;
  /** Where it starts. */
  readonly from: Checkpoint;
  /** True: an earlier import started there, and may have done more than it recorded. */
  readonly isResumed: boolean;
  readonly rejects: Rejects;
  /** Called before the first user is imported. */
  begin(checkpoint: Checkpoint): Promise<void>;
  /** Called after each batch. After a crash, the import continues from here. */
  save(checkpoint: Checkpoint): Promise<void>;
}

interface Batch {
  readonly records: readonly FileRecord[];
  /** The number of processed records, and their digest. */
  readonly progress: Pick<Checkpoint, 'records' | 'digest'>;
}

/** The records after a checkpoint, in batches. */
async function* readBatches(records: AsyncIterable<FileRecord>, from: Checkpoint): AsyncGenerator<Batch> {
  const seen = createHash('sha256');
  let count = 0;
  let batch: FileRecord[] = [];
  const reached = (): Batch['progress'] => ({ records: count, digest: seen.copy().digest('hex') });
  for await (const record of records) {
    seen.update(`${record.text}\n`);
    count += 1;
    if (count === from.records && reached().digest !== from.digest) throw createChangedFileError();
    if (count <= from.records) continue;
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield { records: batch, progress: reached() };
    batch = [];
  }
  if (count < from.records) throw createChangedFileError();
  if (batch.length > 0) yield { records: batch, progress: reached() };
}

function createChangedFileError(): CommandError {
  return new CommandError('the file has changed since its import started');
}

/**
 * Imports the users of a file, batch by batch. A batch is one write: it is stored completely or not at all.
 * @returns the last checkpoint
 */
export async function importRecords(task: ImportTask): Promise<Checkpoint> {
  const { pool, records, from, rejects } = task;
  let checkpoint = from;
  // A crash between a write and its checkpoint left a batch that is already stored.
  let isInDoubt = task.isResumed;
  let isBegun = task.isResumed;
  for await (const { records: batch, progress } of readBatches(records, from)) {
    if (!isBegun) await task.begin(from);
    isBegun = true;
    const rejections = await importBatch(pool, from, batch, isInDoubt);
    isInDoubt = false;
    for (const [line, refusal] of rejections) await rejects.add(line, refusal);
    checkpoint = {
      ...checkpoint,
      ...progress,
      imported: checkpoint.imported + batch.length - rejections.size,
      rejected: checkpoint.rejected + rejections.size,
      rejects_bytes: rejects.bytes(),
    };
    await task.save(checkpoint);
  }
  return checkpoint;
}

/** Rejected records, by line. */
type Rejections = ReadonlyMap<number, Rejection>;

async function importBatch(
  pool: ImportTask['pool'],
  from: Checkpoint,
  batch: readonly FileRecord[],
  isInDoubt: boolean,
): Promise<Rejections> {
  const rejections = new Map<number, Rejection>();
  const users: { readonly line: number; readonly user: ImportedUser }[] = [];
  for (const { line, content } of batch) {
    if ('user' in content) users.push({ line, user: content.user });
    else rejections.set(line, content.rejection);
  }
  const outcomes = await pool.importUsers(
    from.user_pool_id,
    users.map(({ user }) => user),
  );
  const isThere = isInDoubt && !outcomes.some(({ ok }) => ok);
  for (const [index, outcome] of outcomes.entries()) {
    const { line, user } = users[index] ?? {};
    if (outcome.ok || line === undefined || user === undefined) continue;
    if (isThere && (await isOfInterruptedImport(pool, from, user, outcome))) continue;
    rejections.set(line, outcome);
  }
  return new Map([...rejections].sort(([one], [other]) => one - other));
}

/** Whether the interrupted import created an existing user. */
async function isOfInterruptedImport(
  { operations }: ImportTask['pool'],
  { user_pool_id, started_at_ms }: Checkpoint,
  { username }: ImportedUser,
  { code }: Exclude<ImportOutcome, { readonly ok: true }>,
): Promise<boolean> {
  if (code !== 'exists') return false;
  try {
    const found = await operations.adminGetUser(
      { UserPoolId: user_pool_id, Username: username },
      OPERATOR_CALL_CONTEXT,
    );
    return (found.UserCreateDate ?? 0) >= Math.floor(started_at_ms / 1000);
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}
