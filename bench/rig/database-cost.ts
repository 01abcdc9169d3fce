import { readdirSync, readFileSync, statSync } from 'node:fs';
import pg from 'pg';

/** The resources of a database. For a file only its size is known. */
export interface DatabaseCost {
  /** CPU-seconds of all processes of the server, including ended ones; undefined if it runs on another machine or is a file. */
  readonly cpuSeconds: number | undefined;
  /** Bytes of its write-ahead log. */
  readonly logBytes: number | undefined;
  readonly bytes: number;
}

const TICKS_PER_SECOND = 100;

/** Returns the parent, and the times of a process and of its ended children, from `/proc/<pid>/stat`. */
function readStat(pid: string): { readonly parent: string; readonly own: number; readonly ended: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
    return { parent: fields[1] ?? '', own: user + system, ended: childUser + childSystem };
  } catch {
    return undefined;
  }
}

function readServerSeconds(backendPid: number): number | undefined {
  const server = readStat(String(backendPid))?.parent;
  if (server === undefined) return undefined;
  const itself = readStat(server);
  let ticks = (itself?.own ?? 0) + (itself?.ended ?? 0);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(pid);
    if (stat?.parent === server) ticks += stat.own;
  }
  return ticks / TICKS_PER_SECOND;
}

/** Measures a database of this machine. */
export async function readDatabaseCost(url: string): Promise<DatabaseCost> {
  if (!url.startsWith('postgres'))
    return { cpuSeconds: undefined, logBytes: undefined, bytes: statSync(url.slice('sqlite:'.length)).size };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select pg_backend_pid() as pid, pg_current_wal_lsn() - '0/0' as log, pg_database_size(current_database()) as bytes`,
  );
  const [{ pid, log, bytes }] = rows;
  const cost = { cpuSeconds: readServerSeconds(pid), logBytes: Number(log), bytes: Number(bytes) };
  await client.end();
  return cost;
}

/** Counts the connections to a PostgreSQL database, except its own. */
export async function countConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as found from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
  return rows[0].found;
}
