import { StoreUnavailable } from '../errors.ts';
import type { TransactionControl } from './dialect.ts';

interface Operation<Connection> {
  /** Runs inside the open transaction. */
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** One statement is atomic by itself and needs no savepoint. */
  readonly isOneStatement: boolean;
}

/** How a group gets at its connection, alone, and how errors of the database are read. */
export interface GroupCommitParts<Connection> {
  readonly control: TransactionControl;
  withConnection(work: (connection: Connection) => Promise<void>): Promise<void>;
  translate(error: unknown): Error;
}

// Bounds how long one group keeps the event loop and the reads behind it waiting.
const MOST_OPERATIONS = 512;

// A flush that so many share costs each of them little; to wait for more would only cost time.
const ENOUGH_OPERATIONS = 16;

/**
 * Makes one durable transaction of the writes that arrive together: `synchronous=FULL` costs one disk flush a commit,
 * whatever it holds. A group is closed by the first turn of the event loop that brings no further write, so that a write that comes
 * alone waits for nothing. Each operation is settled after that commit only, and one that fails undoes itself only.
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
  submit<Result>(work: (connection: Connection) => Promise<Result>, isOneStatement: boolean): Promise<Result> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('it is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject, isOneStatement });
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
      const group = this.#waiting.splice(0, MOST_OPERATIONS);
      await this.#commit(group);
      if (this.#waiting.length > 0) continue;
      this.#draining = undefined;
      return;
    }
  }

  async #gather(): Promise<void> {
    let known: number;
    do {
      known = this.#waiting.length;
      await new Promise(setImmediate);
    } while (this.#waiting.length > known && this.#waiting.length < ENOUGH_OPERATIONS);
  }

  async #commit(group: readonly Operation<Connection>[]): Promise<void> {
    try {
      const settlers: (() => void)[] = [];
      await this.#parts.withConnection(async (connection) => {
        await this.#transact(connection, group, settlers);
      });
      for (const settle of settlers) settle();
    } catch (error) {
      const translated = this.#parts.translate(error);
      for (const operation of group) operation.reject(translated);
    }
  }

  async #transact(
    connection: Connection,
    group: readonly Operation<Connection>[],
    settlers: (() => void)[],
  ): Promise<void> {
    const { control } = this.#parts;
    control.begin();
    try {
      for (const operation of group) settlers.push(await this.#perform(connection, operation));
      control.commit();
    } catch (error) {
      control.rollback();
      throw error;
    }
  }

  /**
   * Resolves to what tells the operation's caller, to be called after the commit.
   * @throws only where the group as a whole is lost.
   */
  async #perform(connection: Connection, operation: Operation<Connection>): Promise<() => void> {
    const { control, translate } = this.#parts;
    if (!operation.isOneStatement) control.savepoint();
    try {
      const result = await operation.work(connection);
      if (!operation.isOneStatement) control.release();
      return () => operation.resolve(result);
    } catch (error) {
      // Without its transaction the group would go on in autocommit.
      if (!control.isOpen) throw error;
      if (!operation.isOneStatement) control.undoToSavepoint();
      return () => operation.reject(translate(error));
    }
  }
}
