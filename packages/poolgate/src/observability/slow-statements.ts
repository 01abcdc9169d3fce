import type { SlowStatement } from '@poolgate/store';
import type { WriteLine } from '../log-line.ts';

/** Writes slow statements down, with their plans. Neither holds a value. */
export function slowStatementLog(log: WriteLine): (slow: SlowStatement) => void {
  return ({ sql, ms, plan }) => log('warn', 'A statement of the database was slow.', { ms, statement: sql, plan });
}
