import { type Kysely, sql } from 'kysely';
import type { ServerState } from '../sql/database.ts';
import type { Tables } from '../sql/tables.ts';
import { SERVER_LIMITS } from './connection-limits.ts';

const SETTINGS = sql<{ name: string; setting: string }>`select name, setting from pg_settings where name in (${sql.join(
  [...SERVER_LIMITS, 'transaction_read_only'].map((name) => sql.lit(name)),
)})`;

type Settings = ReadonlyMap<string, string>;

async function readServerSettings(kysely: Kysely<Tables>): Promise<Settings> {
  return new Map((await SETTINGS.execute(kysely)).rows.map(({ name, setting }) => [name, setting]));
}

function toLimits(found: Settings): Readonly<Record<string, number>> {
  return Object.fromEntries(SERVER_LIMITS.map((name) => [name, Number(found.get(name))]));
}

/** Reads the settings of a fresh connection, and those within a transaction. Through a pooler, these are the pooler's settings. */
export async function readServerState(kysely: Kysely<Tables>): Promise<ServerState> {
  const outside = await readServerSettings(kysely);
  const inside = await kysely.transaction().execute((transaction) => readServerSettings(transaction));
  return {
    isReadOnly: outside.get('transaction_read_only') === 'on',
    limits: toLimits(outside),
    transactionLimits: toLimits(inside),
  };
}
