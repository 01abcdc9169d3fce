import type { BatchResult, BatchStatement } from './statement-batch.ts';

/** A statement that waits to be sent or answered. */
export interface PendingStatement extends BatchStatement {
  readonly outcome: Promise<BatchResult>;
  resolve(result: BatchResult): void;
  reject(error: unknown): void;
}

/** Converts a value to the form that is sent to the server. */
export function toText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`PostgreSQL is given no values of the type ${typeof value}`);
}

/** Creates a statement to send. */
export function createPendingStatement(sql: string, values: readonly unknown[] = []): PendingStatement {
  const { promise, resolve, reject } = Promise.withResolvers<BatchResult>();
  return { sql, values: values.map(toText), outcome: promise, resolve, reject };
}
