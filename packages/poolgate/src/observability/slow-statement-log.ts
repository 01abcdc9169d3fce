import type { SlowStatement } from '@poolgate/store';
import type { WriteLogLine } from '../process/log-line.ts';

/** Logs slow statements with their query plans. Neither contains a value. */
export function createSlowStatementLog(log: WriteLogLine): (slow: SlowStatement) => void {
  return ({ sql, ms, plan }) => log('warn', 'A statement of the database was slow.', { ms, statement: sql, plan });
}
