import type { ColumnType } from 'kysely';

/** A boolean: PostgreSQL stores a boolean, SQLite 0 or 1. */
export type BooleanColumn = ColumnType<boolean | 0 | 1, boolean, boolean>;

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${SnakeCase<Rest>}`
    : `${Lowercase<First>}_${SnakeCase<Rest>}`
  : Text;

/** Columns of encrypted text keep the suffix of the first releases. */
type ColumnName<Field extends string> = Field extends `${infer Start}Encrypted`
  ? `${SnakeCase<Start>}_sealed`
  : SnakeCase<Field>;

type TextOrNumber<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends null
      ? null
      : string;

type ColumnValue<Value> = boolean extends Value ? BooleanColumn | Extract<Value, null> : TextOrNumber<Value>;

/** The columns of a record: each field in snake case, lists and objects as JSON text. */
export type TableRow<Kept extends object> = {
  [Field in keyof Kept & string as ColumnName<Field>]: ColumnValue<Kept[Field]>;
};
