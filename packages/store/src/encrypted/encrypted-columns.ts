/**
 * The table of encrypted columns. `poolgate secrets reencrypt` uses it to replace an old secret.
 */
import type { Tables } from '../sql/tables.ts';

/** How encrypted text stands in its column: as it is, in a JSON array of texts, or as the hexadecimal digits of its UTF-8. */
export type EncryptedColumnFormat = 'text' | 'list' | 'hex';

/** The columns of a table that hold encrypted text, by their names. */
type EncryptedNames<Table> = Extract<keyof Table, 'sealed' | `${string}_sealed`>;

type TextNames<Table> = Extract<
  { [Name in keyof Table]: Table[Name] extends string ? Name : never }[keyof Table],
  string
>;

interface EncryptedTable<Table> {
  /** The primary key: texts, none of them empty. */
  readonly key: readonly TextNames<Table>[];
  /** The columns whose texts, with `/` between them, the encryption is bound to. */
  readonly boundTo: readonly TextNames<Table>[];
  /** Each column that holds encrypted text by its name, and any other one. */
  readonly columns: Readonly<Record<EncryptedNames<Table>, EncryptedColumnFormat>> &
    Partial<Readonly<Record<keyof Table, EncryptedColumnFormat>>>;
}

type EncryptedTables = {
  readonly [Name in keyof Tables as EncryptedNames<Tables[Name]> extends never ? never : Name]: EncryptedTable<
    Tables[Name]
  >;
};

/** Where encrypted text is kept. A table that gets such a column does not compile before it stands here. */
const ENCRYPTED_TABLES = {
  pools: { key: ['id'], boundTo: ['id'], columns: { secret_sealed: 'text' } },
  clients: { key: ['pool_id', 'id'], boundTo: ['pool_id', 'id'], columns: { secrets_sealed: 'list' } },
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

/** What the statements need to know of one column. */
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
