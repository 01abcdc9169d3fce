/**
 * The table of encrypted columns. `poolgate secrets reencrypt` uses it to replace an old secret.
 */
import type { Tables } from '../sql/tables.ts';

/** The format of encrypted text in a column: plain, in a JSON array of texts, or as the hexadecimal digits of its UTF-8. */
export type EncryptedColumnFormat = 'text' | 'list' | 'hex';

/** The names of a table's columns with encrypted text. */
type EncryptedNames<Table> = Extract<keyof Table, 'sealed' | `${string}_sealed`>;

type TextNames<Table> = Extract<
  { [Name in keyof Table]: Table[Name] extends string ? Name : never }[keyof Table],
  string
>;

interface EncryptedTable<Table> {
  /** The primary key, which consists of non-empty texts. */
  readonly key: readonly TextNames<Table>[];
  /** The columns whose texts, joined with `/`, the encryption is bound to. */
  readonly boundTo: readonly TextNames<Table>[];
  /** Each column with encrypted text by name, and optionally others. */
  readonly columns: Readonly<Record<EncryptedNames<Table>, EncryptedColumnFormat>> &
    Partial<Readonly<Record<keyof Table, EncryptedColumnFormat>>>;
}

type EncryptedTables = {
  readonly [Name in keyof Tables as EncryptedNames<Tables[Name]> extends never ? never : Name]: EncryptedTable<
    Tables[Name]
  >;
};

/** The tables with encrypted text. A table with such a column does not compile until it is listed here. */
const ENCRYPTED_TABLES = {
  pools: { key: ['id'], boundTo: ['id'], columns: { secret_sealed: 'text' } },
  clients: { key: ['pool_id', 'id'], boundTo: ['pool_id', 'id'], columns: { secrets_sealed: 'list' } },
  identity_providers: {
    key: ['pool_id', 'name'],
    boundTo: ['pool_id', 'name'],
    columns: { secret_sealed: 'text' },
  },
  signing_keys: { key: ['pool_id', 'kid'], boundTo: ['pool_id', 'kid'], columns: { private_sealed: 'text' } },
  credentials: {
    key: ['pool_id', 'username'],
    boundTo: ['pool_id', 'username'],
    columns: { verifier_sealed: 'text' },
  },
  devices: {
    key: ['pool_id', 'username', 'device_key'],
    boundTo: ['pool_id', 'username', 'device_key'],
    columns: { verifier_sealed: 'text' },
  },
  totp_factors: {
    key: ['pool_id', 'username', 'state'],
    boundTo: ['pool_id', 'username'],
    columns: { secret_sealed: 'text' },
  },
  messages: { key: ['id'], boundTo: ['pool_id', 'channel', 'id'], columns: { sealed: 'text' } },
  admin_keys: { key: ['id'], boundTo: ['id'], columns: { signing_secret_sealed: 'text' } },
  webhooks: { key: ['id'], boundTo: ['id'], columns: { secret_sealed: 'text' } },
  idempotency_keys: {
    key: ['digest_hex'],
    boundTo: ['digest_hex'],
    columns: { answer_sealed: 'text', request_digest_hex: 'hex' },
  },
  web_sessions: { key: ['id_digest_hex'], boundTo: ['id_digest_hex'], columns: { content_sealed: 'text' } },
  pending_srp: { key: ['digest_hex'], boundTo: ['digest_hex'], columns: { sealed: 'text' } },
} as const satisfies EncryptedTables;

type EncryptedTableMap = typeof ENCRYPTED_TABLES;

/** A column with encrypted text: `table.column`. */
export type EncryptedColumn = {
  [Table in keyof EncryptedTableMap]: `${Table}.${Extract<keyof EncryptedTableMap[Table]['columns'], string>}`;
}[keyof EncryptedTableMap];

/** The facts about a column that statements need. */
export interface EncryptedColumnInfo {
  readonly column: EncryptedColumn;
  readonly table: keyof Tables;
  readonly name: string;
  readonly form: EncryptedColumnFormat;
  readonly key: readonly string[];
  readonly boundTo: readonly string[];
}

/** Every column with encrypted text. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumnInfo[] = Object.entries(ENCRYPTED_TABLES).flatMap(
  ([table, { key, boundTo, columns }]) =>
    Object.entries(columns).map(([name, form]: [string, EncryptedColumnFormat]) => ({
      column: `${table}.${name}` as EncryptedColumn,
      table: table as keyof EncryptedTableMap,
      name,
      form,
      key,
      boundTo,
    })),
);
