import type { EmbeddedPool, ExportedUser } from '@poolgate/pool';
import { stringify } from 'csv-stringify/sync';
import { COGNITO_COLUMNS, MFA_COLUMN, USERNAME_COLUMN } from './csv-columns.ts';
import { escapeFormula } from './formula-cells.ts';
import { type FileHeader, formatUserLine } from './user-json-line.ts';

/** The users and the form of an export. */
export interface ExportTask {
  readonly users: AsyncIterable<ExportedUser>;
  readonly userPoolId: string;
  /** The names of the pool's custom attributes. */
  readonly customAttributes: readonly string[];
  readonly withPasswords: boolean;
  readonly nowMs: number;
}

/** Writes users as the lines of a file, without line ends. */
export type WriteUsers = (task: ExportTask) => AsyncGenerator<string>;

const PAGE = 200;

/** Returns every user of a pool, page by page. */
export async function* listExportedUsers(
  pool: Pick<EmbeddedPool, 'exportUsers'>,
  userPoolId: string,
): AsyncGenerator<ExportedUser> {
  let cursor: string | undefined;
  do {
    const page = await pool.exportUsers(userPoolId, PAGE, cursor);
    yield* page.rows;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Writes JSON lines: a header, then one user per line. */
export const writeJsonLines: WriteUsers = async function* writeJsonLines(task) {
  const header: FileHeader = {
    poolgate_users: 1,
    user_pool_id: task.userPoolId,
    passwords: task.withPasswords,
    exported_at: new Date(task.nowMs).toISOString(),
  };
  yield JSON.stringify(header);
  for await (const user of task.users) yield formatUserLine(user, task.withPasswords);
};

/**
 * Writes CSV with the header of Cognito's import; custom attributes have additional columns. Values with a comma are quoted, and no cell is
 * a formula.
 */
export const writeCsv: WriteUsers = async function* writeCsv({ users, customAttributes }) {
  const columns: readonly string[] = [...COGNITO_COLUMNS, ...customAttributes];
  yield formatCsvLine(columns);
  for await (const user of users) yield formatCsvLine(columns.map((name) => escapeFormula(readColumn(user, name))));
};

function readColumn({ username, attributes, preferredMfa }: ExportedUser, column: string): string {
  if (column === USERNAME_COLUMN) return username;
  if (column === MFA_COLUMN) return preferredMfa === 'SMS_MFA' ? 'TRUE' : 'FALSE';
  return attributes[column] ?? '';
}

function formatCsvLine(values: readonly string[]): string {
  return stringify([[...values]], { eof: false });
}
