import type { ImportedUser } from '@poolgate/pool';
import { CsvError, parse } from 'csv-parse';
import { CommandError } from '../command-line/command.ts';
import { MFA_COLUMN, USERNAME_COLUMN } from './csv-columns.ts';
import { createRejectedContent, type FileRecord, type ReadUsers } from './file-record.ts';
import { unescapeFormula } from './formula-cells.ts';

const LARGEST_RECORD_BYTES = 64 * 1024;

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads users from CSV with the header of Cognito's import, with the columns in any order; custom attributes have additional columns. A
 * value with a comma may be quoted, or the comma follows a backslash, as in Cognito.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export const readCsv: ReadUsers = async function* readCsv(input) {
  // Records are counted as they are parsed: those of the same chunk are lost with the error.
  let last = { lines: 0, empty_lines: 0 };
  const parser = input.pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: LARGEST_RECORD_BYTES,
      on_record: (record, { lines, empty_lines }) => {
        last = { lines, empty_lines };
        return record;
      },
    }),
  );
  // A file that cannot be read must end the parser too; otherwise it would wait forever.
  input.once('error', (error) => parser.destroy(error));
  let header: readonly string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      if (header === undefined) header = requireHeader(record);
      else yield toFileRecord(header, record, info.lines);
    }
    if (header === undefined) throw new CommandError('the file is empty: its first line must be the header');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const skipped = Number(error.empty_lines ?? 0) - last.empty_lines;
    throw new CommandError(`line ${last.lines + skipped + 1}: ${explainCsvError(error)}`, error);
  }
};

function explainCsvError({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'the record that starts here has an unclosed quote';
    case 'CSV_MAX_RECORD_SIZE':
      return `the record that starts here is longer than ${LARGEST_RECORD_BYTES / 1024} KiB; check for an unclosed quote`;
    default:
      return `the file is not valid CSV from here on (${code})`;
  }
}

function requireHeader(names: readonly string[]): readonly string[] {
  const header = names.map((name) => name.trim());
  if (!header.includes(USERNAME_COLUMN)) throw new CommandError(`line 1: the column ${USERNAME_COLUMN} is missing`);
  if (new Set(header).size < header.length) throw new CommandError('line 1: a column name is repeated');
  const unknown = header.find((name) => name.startsWith('cognito:') && name !== USERNAME_COLUMN && name !== MFA_COLUMN);
  if (unknown !== undefined) throw new CommandError(`line 1: "${unknown}" is not a known column`);
  return header;
}

function toFileRecord(header: readonly string[], fields: readonly string[], line: number): FileRecord {
  const values = fields.length > header.length ? joinEscapedFields(fields) : fields;
  return { line, text: JSON.stringify(fields), content: parseContent(header, values) };
}

/** Joins fields that an escaped comma separated. */
function joinEscapedFields(fields: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (const field of fields) {
    const last = values.at(-1);
    if (last?.endsWith('\\')) values[values.length - 1] = `${last.slice(0, -1)},${field}`;
    else values.push(field);
  }
  return values;
}

const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);

const VERIFIED_COLUMNS = new Set(['email_verified', 'phone_number_verified']);

function parseContent(header: readonly string[], values: readonly string[]): FileRecord['content'] {
  if (values.length !== header.length)
    return createRejectedContent('column_count', 'does not have as many values as the header has columns');
  const filled = header
    .map((name, index) => [name, unescapeFormula(values[index] ?? '')] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, VERIFIED_COLUMNS.has(name) ? value.toLowerCase() : value] as const);
  const { [USERNAME_COLUMN]: username, [MFA_COLUMN]: mfa = 'false', ...attributes } = Object.fromEntries(filled);
  if (username === undefined) return createRejectedContent('username', `has no value in ${USERNAME_COLUMN}`);
  const hasMfa = FLAGS.get(mfa.toLowerCase());
  if (hasMfa === undefined) return createRejectedContent('mfa', `must have TRUE or FALSE in ${MFA_COLUMN}`);
  const user: ImportedUser = { username, attributes, ...(hasMfa ? { preferredMfa: 'SMS_MFA' as const } : {}) };
  return { user };
}
