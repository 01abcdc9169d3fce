import { DatabaseSync } from 'node:sqlite';

/** The number of codes that are requested at the same moment. */
export const CONCURRENT_CODES = 32;

/** Sends codes, {@link CONCURRENT_CODES} of them. */
export interface CodeSender {
  send(): Promise<void>;
  close(): Promise<void> | void;
}

/**
 * The minimum of a durable queue: each message is written, taken, marked before delivery, and removed, in one statement each. The four
 * steps of all messages share four commits.
 */
export function openSqliteQueue(file: string): Promise<CodeSender> {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(
    'create table messages (id integer primary key, sealed text, leased_until integer, handed_over integer)',
  );
  const sealed = 'x'.repeat(600);
  const steps = [
    ['insert into messages (id, sealed, leased_until, handed_over) values (?, ?, 0, 0)', true],
    ['update messages set leased_until = 1 where id = ?', false],
    ['update messages set handed_over = 1 where id = ?', false],
    ['delete from messages where id = ?', false],
  ] as const;
  const statements = steps.map(([sql, hasContent]) => ({ statement: database.prepare(sql), hasContent }));
  const send = (): Promise<void> => {
    for (const { statement, hasContent } of statements) {
      database.exec('begin immediate');
      for (let id = 1; id <= CONCURRENT_CODES; id++) statement.run(...(hasContent ? [id, sealed] : [id]));
      database.exec('commit');
    }
    return Promise.resolve();
  };
  return Promise.resolve({ send, close: () => database.close() });
}
