import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../packages/store/src/testing/postgres.ts';
import type { Account, Target } from '../load/drive.ts';
import type { DriveName } from '../load/drives.ts';
import { postForm } from '../load/request.ts';
import {
  createKeycloakProgram,
  describeJava,
  fillKeycloak,
  type KeycloakHash,
  prepareKeycloak,
  toMachineTarget,
} from '../peers/keycloak.ts';
import { fillWithTokens } from '../peers/poolgate.ts';
import { fillForMachines, oauthProgram } from '../peers/poolgate-oauth.ts';
import { countConnections, readDatabaseCost } from '../rig/database-cost.ts';
import { type LoadProcess, startLoadProcess } from '../rig/load-process.ts';
import type { Sample } from '../rig/scenario.ts';
import { type RunningServer, startServer } from '../rig/server.ts';
import { findMedian } from '../rig/statistics.ts';
import { createAccounts, loadRound, USERS } from '../scenarios/login-server.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 5;
const ROUND_SECONDS = 5;
/** A JVM needs about ten seconds to compile hot code. */
const WARM_UP_SECONDS = 30;

const ACTS = ['password login', 'refresh', 'machine token'] as const;
type Act = (typeof ACTS)[number];

/** One kind of request at one of the two servers. */
interface Row {
  readonly act: Act;
  readonly at: string;
  readonly isOurs: boolean;
  readonly server: RunningServer;
  readonly databaseUrl: string;
  readonly drive: DriveName;
  readonly target: Target;
}

interface Opened {
  readonly server: RunningServer;
  readonly databaseUrl: string;
}

/** Creates a database; returns its URL. */
export async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function listPoolgateRows({ server, databaseUrl }: Opened, accounts: readonly Account[]): Promise<Row[]> {
  const users = await fillWithTokens(server.url, accounts);
  const machines = await fillForMachines(server.url, accounts);
  const own = { at: 'Poolgate', isOurs: true, server, databaseUrl } as const;
  return [
    { ...own, act: 'password login', drive: 'password-route', target: users },
    { ...own, act: 'refresh', drive: 'token-refresh', target: users },
    { ...own, act: 'machine token', drive: 'client-credentials', target: machines },
  ];
}

const HASH_NAMES: Readonly<Record<KeycloakHash, string>> = {
  argon2: 'Keycloak, Argon2id (its default)',
  pbkdf2: 'Keycloak, PBKDF2 with 2,700 rounds',
};

/** Logs the users of a realm in, so that they have tokens to refresh. */
async function logIn({ accounts, oauth, ...target }: Target): Promise<Target> {
  const owners: Account[] = [];
  for (const account of accounts) {
    const { username, password } = account;
    const grant = { grant_type: 'password', client_id: oauth?.clientId ?? '', scope: 'openid', username, password };
    const answer = (await postForm(oauth?.tokenUrl ?? '', grant)) as Record<string, string>;
    owners.push({ ...account, tokens: { access: answer.access_token ?? '', refresh: answer.refresh_token ?? '' } });
  }
  return { ...target, accounts: owners, ...(oauth && { oauth }) };
}

async function listKeycloakRows({ server, databaseUrl }: Opened, accounts: readonly Account[]): Promise<Row[]> {
  const own = { isOurs: false, server, databaseUrl } as const;
  const rows: Row[] = [];
  for (const hash of ['argon2', 'pbkdf2'] as const) {
    const target = await fillKeycloak(server.url, accounts, hash);
    rows.push({ ...own, act: 'password login', at: HASH_NAMES[hash], drive: 'password-grant', target });
    if (hash === 'argon2') continue;
    // Neither of these checks a password, so one realm is enough.
    rows.push({ ...own, act: 'refresh', at: 'Keycloak', drive: 'refresh-grant', target: await logIn(target) });
    rows.push({
      ...{ ...own, act: 'machine token', at: 'Keycloak' },
      ...{ drive: 'client-credentials', target: toMachineTarget(target) },
    });
  }
  return rows;
}

/** Measures a round, and the database server's processor time for each request. */
async function measure(load: LoadProcess, row: Row, seconds: number): Promise<Sample> {
  const { drive, target, server, databaseUrl } = row;
  const before = await readDatabaseCost(databaseUrl);
  const sample = await loadRound({ load }, server, { drive, target, seconds });
  const after = await readDatabaseCost(databaseUrl);
  const requests = (sample.perSecond ?? 0) * seconds;
  const databaseMs = (((after.cpuSeconds ?? 0) - (before.cpuSeconds ?? 0)) * 1_000) / requests;
  return { ...sample, databaseMs, connections: await countConnections(databaseUrl) };
}

const COLUMNS = {
  perSecond: ['requests/s', 0],
  wholeMs: ['CPU ms', 2],
  databaseMs: ['database CPU ms', 2],
  p50Ms: ['p50 ms', 1],
  p99Ms: ['p99 ms', 1],
  residentMib: ['MiB', 0],
  connections: ['connections', 0],
} as const;

type Key = keyof typeof COLUMNS;

interface MeasuredRow extends Row {
  readonly samples: readonly Sample[];
}

const findFigure = ({ samples }: MeasuredRow, key: Key): number => findMedian(samples.map((each) => each[key] ?? 0));

function formatTable(rows: readonly MeasuredRow[]): string {
  const keys = Object.keys(COLUMNS) as Key[];
  const heading = `| | at | ${keys.map((key) => COLUMNS[key][0]).join(' | ')} |`;
  const lines = ACTS.flatMap((act) => rows.filter((row) => row.act === act)).map((row) => {
    const figures = keys.map((key) => findFigure(row, key).toFixed(COLUMNS[key][1]));
    return `| ${row.act} | ${row.at} | ${figures.join(' | ')} |`;
  });
  return [heading, `|---|---|${keys.map(() => '---:|').join('')}`, ...lines].join('\n');
}

/** Compares the processor time of the others with Poolgate's, and lists the acts at which they need less. */
function compareCosts(rows: readonly MeasuredRow[]) {
  const ratios = rows
    .filter(({ isOurs }) => !isOurs)
    .map((row) => {
      const ours = rows.find(({ act, isOurs }) => isOurs && act === row.act) as MeasuredRow;
      return { ...row, ratio: findFigure(row, 'wholeMs') / findFigure(ours, 'wholeMs') };
    });
  return {
    told: ratios.map(({ act, at, ratio }) => `${act}, ${at}: ${ratio.toFixed(1)} times`).join('; '),
    faults: ratios
      .filter(({ ratio }) => ratio <= 1)
      .map(({ act, at, ratio }) => `${act}, ${at}: ${ratio.toFixed(2)} times the processor time of ours`),
  };
}

/** Differences between both sides that affect the comparison. */
const NOTES = `Both run on one core each in turn, on one PostgreSQL with durable commits, whose processor time has a column of its own. Both issue an access token and, to
users, an ID token, by RS256 with 2048 bits, rotate refresh tokens, count wrong passwords and store the event of each login. Keycloak runs in production mode with a local cache and its default heap (at most
512 MiB). Poolgate checks a password by one exponentiation of 3072 bits against an SRP verifier; OpenSSL computes 2,700 rounds of PBKDF2 in that time.`;

/** Measures Poolgate and Keycloak alternately, for the number of rounds in the first argument. */
export async function proveBesideKeycloak(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<ProofResult> {
  const keycloak = await prepareKeycloak();
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-keycloak-'));
  const postgres = await startPostgres({ flags: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } });
  const load = startLoadProcess();
  const servers: RunningServer[] = [];
  const open = async (
    name: string,
    create: (folder: string, databaseUrl: string) => ReturnType<typeof oauthProgram>,
  ) => {
    const databaseUrl = await createDatabase(postgres.adminUrl, name);
    const server = await startServer(await create(mkdtempSync(join(folder, `${name}-`)), databaseUrl));
    servers.push(server);
    tell(`${name} serves`);
    return { server, databaseUrl };
  };
  try {
    const ours = await open('poolgate', async (place, DATABASE_URL) => {
      const program = await oauthProgram(place);
      return { ...program, environment: { ...program.environment, DATABASE_URL } };
    });
    const theirs = await open('keycloak', (place, databaseUrl) => createKeycloakProgram(place, keycloak, databaseUrl));
    const accounts = createAccounts(USERS);
    const rows = [...(await listPoolgateRows(ours, accounts)), ...(await listKeycloakRows(theirs, accounts))];
    const measured = rows.map((row) => ({ ...row, samples: [] as Sample[] }));
    for (const row of measured) await measure(load, row, WARM_UP_SECONDS);
    for (let round = 1; round <= Number(rounds); round += 1) {
      for (const row of measured) row.samples.push(await measure(load, row, ROUND_SECONDS));
      tell(`round ${round} of ${rounds}`);
    }
    const { told, faults } = compareCosts(measured);
    const figure = `${told} the processor time of Poolgate. Medians of ${rounds} rounds of ${ROUND_SECONDS} s, ${describeJava()}.\n\n${formatTable(measured)}\n\n${NOTES}`;
    return { figure, faults };
  } finally {
    for (const server of servers) await server.stop();
    await load.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
