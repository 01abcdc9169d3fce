import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sendRequest } from '../../e2e/support/requests/exchange.ts';
import { fitLine } from '../rig/line-fit.ts';
import type { ProofResult } from './proof.ts';
import type { SoakSnapshot } from './soak-service.ts';

const MINUTES = 30;
const LOOK_MS = 5_000;
const CLIENTS = 6;
const PAUSE_MS = 20;
const USERS = 40;
const PASSWORD = 'Correct-Horse1!';
const MIB = 1024 * 1024;
/** A smaller slope comes from caches and the compiler. */
const GROWTH_MIB_PER_HOUR = 1;
/** The sweeps of a run are ten minutes apart: the comparison uses the maximum of a table between two of them. */
const SWEEP_MINUTES = 10;
const MOST_ROW_GROWTH = 1.25;
/** A smaller number of rows is not growth. */
const FEW_ROWS = 200;

interface TimedSnapshot extends SoakSnapshot {
  readonly minute: number;
  readonly rows: Readonly<Record<string, number>>;
}

interface SoakTarget {
  readonly url: string;
  readonly bearer: string;
  readonly userPoolId: string;
}

/** Calls an operation of the Cognito-compatible API. */
async function call(
  { url, bearer }: SoakTarget,
  operation: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  };
  const answer = await sendRequest(url, 'POST', '/', { headers, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

/** Shortens refresh tokens to two hours of the service's clock, so that a run sweeps its logins. */
async function shortenLogins(soaked: SoakTarget): Promise<void> {
  const { userPoolId: UserPoolId } = soaked;
  const { UserPoolClients } = await call(soaked, 'ListUserPoolClients', { UserPoolId });
  const [client] = UserPoolClients as readonly { readonly ClientId: string }[];
  const { UserPoolClient } = await call(soaked, 'DescribeUserPoolClient', { UserPoolId, ClientId: client?.ClientId });
  const { ExplicitAuthFlows } = UserPoolClient as { readonly ExplicitAuthFlows: readonly string[] };
  const validity = { RefreshTokenValidity: 120, TokenValidityUnits: { RefreshToken: 'minutes' } };
  await call(soaked, 'UpdateUserPoolClient', {
    UserPoolId,
    ClientId: client?.ClientId,
    ExplicitAuthFlows,
    ...validity,
  });
}

async function makeUsers(soaked: SoakTarget): Promise<readonly string[]> {
  const { url, bearer, userPoolId } = soaked;
  const headers = { authorization: `Bearer ${bearer}` };
  const emails = Array.from({ length: USERS }, (_, index) => `soaked-${index}@example.com`);
  for (const email of emails) {
    const body = { email, temp_password: PASSWORD };
    const made = await sendRequest(url, 'POST', '/admin/users', { headers, body });
    if (made.status !== 201) throw new Error(made.text);
    const chosen = { UserPoolId: userPoolId, Username: email, Password: PASSWORD, Permanent: true };
    await call(soaked, 'AdminSetUserPassword', chosen);
  }
  return emails;
}

let asked = 0;
const takeNextNumber = (): number => {
  asked += 1;
  return asked;
};

/** The actions that clients repeat: successful logins with their follow-up requests, and requests of attackers and forgetful users. */
function createActs({ url }: SoakTarget, emails: readonly string[]): readonly (() => Promise<unknown>)[] {
  const post = (path: string, body: unknown, headers = {}) => sendRequest(url, 'POST', path, { body, headers });
  const someone = (): string => emails[takeNextNumber() % emails.length] ?? '';
  const nobody = (): string => `nobody-${takeNextNumber()}@example.com`;
  return [
    async () => {
      const { body, status, text } = await post('/login', { username: someone(), password: PASSWORD });
      if (status !== 200) throw new Error(`a login is answered by ${status} ${text}`);
      const headers = { authorization: `Bearer ${String(body.access_token)}` };
      await sendRequest(url, 'GET', '/user/profile', { headers });
      await post('/token/refresh', { refresh_token: body.refresh_token });
      await post('/logout', {}, headers);
    },
    () => post('/login', { username: nobody(), password: 'Wrong-Horse1!' }),
    () => post('/login/srp', { username: someone(), srp_a: '2f'.repeat(380) }),
    () => post('/register', { email: nobody(), password: PASSWORD }),
    () => post('/password/forgot', { email: nobody() }),
    () => sendRequest(url, 'GET', '/login/passkey/challenge/web_authn', { body: { username: someone() } }),
    () => sendRequest(url, 'GET', '/login/parameters'),
  ];
}

function countRows(file: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        Number(database.prepare(`select count(*) as count from "${String(name)}"`).get()?.count),
      ]),
    );
  } finally {
    database.close();
  }
}

async function requestSnapshot(child: ChildProcess): Promise<SoakSnapshot> {
  child.send('look');
  const [look] = await once(child, 'message');
  return look as SoakSnapshot;
}

/** Uses a service for the number of minutes in the first argument, on a clock that advances five days, and reports what grows. */
export async function proveSoak(
  tell: (line: string) => void,
  [minutes = String(MINUTES)]: readonly string[],
): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-soak-'));
  const file = join(folder, 'poolgate.db');
  const child = fork(new URL('./soak-service.ts', import.meta.url).pathname, [`sqlite:${file}`, folder]);
  const [soaked] = (await once(child, 'message')) as [SoakTarget];
  await shortenLogins(soaked);
  const emails = await makeUsers(soaked);
  const endMs = performance.now() + Number(minutes) * 60_000;
  const began = performance.now();
  const faults: string[] = [];
  let turns = 0;
  const client = async (number: number): Promise<void> => {
    const acts = createActs(soaked, emails);
    for (let turn = number; performance.now() < endMs; turn += 1) {
      await acts[turn % acts.length]?.().catch((error: Error) => faults.push(error.message));
      turns += 1;
      await delay(PAUSE_MS);
    }
  };
  const looks: TimedSnapshot[] = [];
  const watch = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const minute = (performance.now() - began) / 60_000;
      looks.push({ ...(await requestSnapshot(child)), minute, rows: countRows(file) });
      if (looks.length % 12 === 0) tell(`${minute.toFixed(0)} minutes: ${JSON.stringify(looks.at(-1))}`);
      await delay(LOOK_MS);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]);
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  rmSync(folder, { recursive: true });
  return judgeSoak(looks, { minutes: Number(minutes), turns, faults });
}

interface SoakRun {
  readonly minutes: number;
  readonly turns: number;
  readonly faults: readonly string[];
}

/**
 * The minimum of each half minute. Short-lived memory, such as a response in progress, is not growth. Samples in quick succession are
 * similar, so a confidence interval over all of them would be too narrow.
 */
function computeLeastHeaps(
  looks: readonly TimedSnapshot[],
  minutes: number,
): readonly (readonly [hour: number, mebibytes: number])[] {
  // A short run is not judged, so every sample counts.
  if (minutes < MINUTES) return looks.map(({ minute, heapBytes }) => [minute / 60, heapBytes / MIB]);
  const parts = Map.groupBy(looks, ({ minute }) => Math.floor(minute * 2));
  return Array.from(parts, ([half, each]) => [half / 120, Math.min(...each.map(({ heapBytes }) => heapBytes)) / MIB]);
}

/** After the caches are full: after the first third of half an hour. */
function judgeSoak(looks: readonly TimedSnapshot[], { minutes, turns, faults: met }: SoakRun): ProofResult {
  const faults = [...met];
  const settled = looks.filter(({ minute }) => minute >= minutes / 3);
  const line = fitLine(computeLeastHeaps(settled, minutes));
  const [low, high] = [line.slope - line.halfWidth, line.slope + line.halfWidth];
  if (minutes >= MINUTES && low > 0 && line.slope > GROWTH_MIB_PER_HOUR)
    faults.push(`the heap grows by ${line.slope.toFixed(2)} MiB an hour`);
  const most = (from: number, to: number, of: (look: TimedSnapshot) => number): number =>
    Math.max(...looks.filter(({ minute }) => minute >= from && minute < to).map(of));
  const handles = [
    most(minutes / 3, (2 * minutes) / 3, (look) => look.handles),
    most((2 * minutes) / 3, minutes, (look) => look.handles),
  ] as const;
  if (handles[1] > handles[0] + CLIENTS) faults.push(`handles grow from ${handles[0]} to ${handles[1]}`);
  const sweeps = Math.floor(minutes / SWEEP_MINUTES);
  const tables: string[] = [];
  for (const name of Object.keys(looks.at(-1)?.rows ?? {})) {
    if (sweeps < 3) continue;
    const rows = ({ rows: counted }: TimedSnapshot): number => counted[name] ?? 0;
    const before = most((sweeps - 2) * SWEEP_MINUTES, (sweeps - 1) * SWEEP_MINUTES, rows);
    const last = most((sweeps - 1) * SWEEP_MINUTES, minutes, rows);
    if (last > FEW_ROWS) tables.push(`${name} ${before} and ${last}`);
    if (last > FEW_ROWS && last > MOST_ROW_GROWTH * before) faults.push(`${name} grows from ${before} to ${last} rows`);
  }
  const heap = computeLeastHeaps(settled, minutes).map(([, mebibytes]) => mebibytes);
  return {
    figure: `${minutes} minutes, ${turns} acts of ${CLIENTS} clients; heap after a forced collection ${Math.min(...heap).toFixed(1)} to ${Math.max(...heap).toFixed(1)} MiB after the first third, ${line.slope.toFixed(2)} MiB an hour (95 %: ${low.toFixed(2)} to ${high.toFixed(2)}); handles at most ${handles.join(', then ')}; the most rows between sweeps, the last two times: ${tables.join(', ') || 'too short to say'}; faults: ${faults.length}.`,
    faults,
  };
}
