import { StoreUnavailable } from '../sql/store-errors.ts';
import type { TransactionControl } from './sqlite-dialect.ts';

/**
 * What an operation needs from its group. A single statement is atomic by itself, and a brief one also need not wait for the disk. A
 * transaction may run twice.
 */
export type OperationKind = 'transaction' | 'statement' | 'briefStatement';

interface Operation<Connection> {
  /** Runs within the open transaction. */
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly kind: OperationKind;
}

type ReportOutcome = () => void;

/** SQLite rolled back the whole transaction of a group because of one operation: the disk is full, or a trigger rolled back. */
class TransactionLost extends Error {
  override readonly name = 'TransactionLost';
}

/** How a group gets exclusive access to its connection, and how database errors are translated. */
export interface GroupCommitParts<Connection> {
  readonly control: TransactionControl;
  withConnection(work: (connection: Connection) => Promise<void>): Promise<void>;
  translate(error: unknown): Error;
}

// Limits how long a group blocks the event loop and the reads after it.
const MAX_OPERATIONS = 512;

// A flush that this many share costs each of them little. Waiting for more would synchronize logins: the slowest would take twice the time
// of most.
const ENOUGH_OPERATIONS = 4;

// A turn contains at most one exponentiation if the event loop computes them. After twelve turns, a group has as many logins as a turn with
// all exponentiations used to have. After four, the commits cost a login a tenth more processor time. An idle loop finishes its turns in
// microseconds.
const QUIET_TURNS = 12;

/**
 * Combines the writes that arrive together into one durable transaction. With `synchronous=FULL`, a commit costs one disk flush whatever it
 * contains. A group closes when several turns of the event loop bring no further write, so a single write waits for almost nothing.
 * Operations settle only after the commit, and a failing operation undoes only itself. Operations await only their connection, so a group
 * runs without leaving the event-loop turn.
 */
export class GroupCommit<Connection> {
  readonly #parts: GroupCommitParts<Connection>;
  #waiting: Operation<Connection>[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(parts: GroupCommitParts<Connection>) {
    this.#parts = parts;
  }

  /** Adds an operation to the next group. */
  submit<Result>(work: (connection: Connection) => Promise<Result>, kind: OperationKind): Promise<Result> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('it is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject, kind });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** Accepts nothing more, and resolves when all accepted operations are settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (true) {
      await this.#gather();
      const group = this.#waiting.splice(0, MAX_OPERATIONS);
      await this.#commit(group);
      if (this.#waiting.length > 0) continue;
      this.#draining = undefined;
      return;
    }
  }

  async #gather(): Promise<void> {
    let quietTurns = 0;
    do {
      const known = this.#waiting.length;
      await new Promise(setImmediate);
      quietTurns = this.#waiting.length > known ? 0 : quietTurns + 1;
    } while (quietTurns < QUIET_TURNS && this.#waiting.length < ENOUGH_OPERATIONS);
  }

  async #commit(group: readonly Operation<Connection>[]): Promise<void> {
    try {
      let reports: readonly ReportOutcome[] | undefined;
      await this.#parts.withConnection(async (connection) => {
        reports = (await this.#transact(connection, group, false)) ?? (await this.#transact(connection, group, true));
      });
      for (const report of reports ?? []) report();
    } catch (error) {
      // An operation that ended the shared transaction must not undo the others, so each gets its own.
      if (error instanceof TransactionLost && group.length > 1) {
        for (const operation of group) await this.#commit([operation]);
        return;
      }
      const translated = this.#parts.translate(error instanceof TransactionLost ? error.cause : error);
      for (const operation of group) operation.reject(translated);
    }
  }

  /**
   * Runs a group. A savepoint copies each page that changes after it, so almost every group runs without savepoints. If an operation would
   * have to be undone alone, the whole group is undone and repeated with them.
   * @param isCareful with savepoints
   * @returns a function that settles the callers after the commit; undefined if the group must be repeated
   * @throws if the whole group is lost
   */
  async #transact(
    connection: Connection,
    group: readonly Operation<Connection>[],
    isCareful: boolean,
  ): Promise<readonly ReportOutcome[] | undefined> {
    const { control } = this.#parts;
    control.begin(group.every(({ kind }) => kind === 'briefStatement'));
    try {
      const reports: ReportOutcome[] = [];
      for (const operation of group) {
        const report = await this.#perform(connection, operation, isCareful);
        if (report === undefined) {
          control.rollback();
          return undefined;
        }
        reports.push(report);
      }
      control.commit();
      return reports;
    } catch (error) {
      control.rollback();
      throw error;
    }
  }

  async #perform(
    connection: Connection,
    operation: Operation<Connection>,
    isCareful: boolean,
  ): Promise<ReportOutcome | undefined> {
    const { control, translate } = this.#parts;
    const isUndoneBySavepoint = isCareful && operation.kind === 'transaction';
    if (isUndoneBySavepoint) control.savepoint();
    try {
      const result = await operation.work(connection);
      if (isUndoneBySavepoint) control.release();
      return () => operation.resolve(result);
    } catch (error) {
      // Without its transaction, the group would continue in autocommit mode.
      if (!control.isOpen) throw new TransactionLost('an operation ended it', { cause: error });
      if (isUndoneBySavepoint) control.undoToSavepoint();
      else if (operation.kind === 'transaction') return undefined;
      return () => operation.reject(translate(error));
    }
  }
}
