import { StoreUnavailable } from '../sql/store-errors.ts';
import type { TransactionControl } from './sqlite-dialect.ts';

/**
 * What an operation needs of its group. One statement is atomic by itself, and a brief one does not need to wait for the disk either;
 * a transaction may be run twice.
 */
export type OperationKind = 'transaction' | 'statement' | 'briefStatement';

interface Operation<Connection> {
  /** Runs inside the open transaction. */
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly kind: OperationKind;
}

type ReportOutcome = () => void;

/** SQLite gave up the whole transaction of a group because of one operation: the disk is full, or a trigger rolled back. */
class TransactionLost extends Error {
  override readonly name = 'TransactionLost';
}

/** How a group gets at its connection, alone, and how errors of the database are read. */
export interface GroupCommitParts<Connection> {
  readonly control: TransactionControl;
  withConnection(work: (connection: Connection) => Promise<void>): Promise<void>;
  translate(error: unknown): Error;
}

// Bounds how long one group keeps the event loop and the reads behind it waiting.
const MAX_OPERATIONS = 512;

// A flush that so many share costs each of them little. To wait for more would have logins go in step: the slowest of them
// would take twice as long as most.
const ENOUGH_OPERATIONS = 4;

// A turn holds one exponentiation at most where the event loop computes. After twelve a group holds as many logins as a turn with all
// exponentiations used to bring; after four a login took a tenth more processor time, for commits. An idle loop is through with its turns
// in some microseconds.
const QUIET_TURNS = 12;

/**
 * Makes one durable transaction of the writes that arrive together: `synchronous=FULL` costs one disk flush a commit,
 * whatever it holds. A group is closed when some turns of the event loop in a row bring no further write, so that a write that comes
 * alone waits for next to nothing. Each operation is settled after that commit only, and one that fails undoes itself only.
 * Operations await nothing but their connection, so that a group runs through without leaving the event-loop turn.
 */
export class GroupCommit<Connection> {
  readonly #parts: GroupCommitParts<Connection>;
  #waiting: Operation<Connection>[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(parts: GroupCommitParts<Connection>) {
    this.#parts = parts;
  }

  /** Puts an operation into the next group. */
  submit<Result>(work: (connection: Connection) => Promise<Result>, kind: OperationKind): Promise<Result> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('it is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject, kind });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** Takes nothing more, and resolves when all that was taken is settled. */
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
      // One that ended the transaction of all must not undo the others: each gets one of its own.
      if (error instanceof TransactionLost && group.length > 1) {
        for (const operation of group) await this.#commit([operation]);
        return;
      }
      const translated = this.#parts.translate(error instanceof TransactionLost ? error.cause : error);
      for (const operation of group) operation.reject(translated);
    }
  }

  /**
   * Runs a group through. A savepoint copies each page that is changed after it, so that nearly every group runs without; only
   * one in which an operation would have to be undone alone is undone as a whole, and run again with them.
   * @param isCareful with savepoints
   * @returns what tells the callers, to be called after the commit; undefined where the group must be run again
   * @throws where the group as a whole is lost
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
      // Without its transaction the group would go on in autocommit.
      if (!control.isOpen) throw new TransactionLost('an operation ended it', { cause: error });
      if (isUndoneBySavepoint) control.undoToSavepoint();
      else if (operation.kind === 'transaction') return undefined;
      return () => operation.reject(translate(error));
    }
  }
}
