import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { postJson, requireBody } from '../support/requests/post-json.ts';
import { confirmByMail, signUpByMail } from '../support/routes/mail-sign-up.ts';
import { logInByRoutes, type RouteLogin, type RouteTarget, readRouteTarget } from '../support/routes/route-login.ts';
import { ADMIN_BEARER, type ServiceProcess, startServiceProcess } from '../support/services/service-process.ts';

/** The results of the kills. */
interface KillsFigure {
  readonly rounds: number;
  readonly loginsAnswered: number;
  readonly signUpsAnswered: number;
  readonly confirmationsAnswered: number;
  /** Acknowledged data that is missing or duplicated. Must be empty. */
  readonly lost: readonly string[];
  /** Rounds after which the file did not open cleanly. Must be empty. */
  readonly unclean: readonly string[];
}

const PASSWORD = 'Correct-Horse-1-Battery';
const USERS = ['ada', 'bob', 'eve'].map((name) => `${name}@poolgate.test`);
const LOGIN_CLIENTS = 3;
const SIGN_UP_CLIENTS = 2;
/** The kill comes after up to this many responses, and up to this long after the last of them, while others are in progress. */
const MAX_ANSWERS = 20;
const LONGEST_PAUSE_MS = 30;

/** The responses of a service before it was killed. */
interface Answered {
  readonly logins: RouteLogin[];
  /** Usernames. */
  readonly signUps: string[];
  readonly confirmed: string[];
}

/**
 * Kills the service with -9 at random moments while clients log in and sign up, round after round on the same file. After each kill the
 * file must be valid, and the next service must know everything that was acknowledged: signed-up and confirmed users, valid refresh tokens,
 * used transcripts.
 */
export async function killRounds(rounds: number): Promise<KillsFigure> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-kills-'));
  const counts = { loginsAnswered: 0, signUpsAnswered: 0, confirmationsAnswered: 0 };
  const [lost, unclean]: [string[], string[]] = [[], []];
  try {
    let before = await firstLife(folder);
    for (let round = 1; round <= rounds; round++) {
      const { missing, answered } = await life(folder, before, round);
      lost.push(...missing);
      unclean.push(...faultsOfFile(folder).map((fault) => `round ${round}: ${fault}`));
      counts.loginsAnswered += answered.logins.length;
      counts.signUpsAnswered += answered.signUps.length;
      counts.confirmationsAnswered += answered.confirmed.length;
      before = answered;
    }
    lost.push(...(await lastLife(folder, before)));
    return { rounds, ...counts, lost, unclean };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A service that creates the users who log in, and is killed after its responses. */
async function firstLife(folder: string): Promise<Answered> {
  const service = await startServiceProcess(folder);
  const target = await readRouteTarget(service.url);
  const answered: Answered = { logins: [], signUps: [], confirmed: [] };
  for (const user of USERS) await signUp(target, user, answered);
  await service.kill();
  return answered;
}

async function life(folder: string, before: Answered, round: number) {
  const service = await startServiceProcess(folder);
  const target = await readRouteTarget(service.url);
  const missing = await listMissing(target, before);
  return { missing, answered: await useAndKill(service, target, round) };
}

async function lastLife(folder: string, before: Answered): Promise<readonly string[]> {
  const service = await startServiceProcess(folder);
  const missing = await listMissing(await readRouteTarget(service.url), before);
  await service.stop();
  return missing;
}

async function useAndKill(service: ServiceProcess, target: RouteTarget, round: number): Promise<Answered> {
  const answered: Answered = { logins: [], signUps: [], confirmed: [] };
  let killed = false;
  const enough = Promise.withResolvers<void>();
  let answersLeft = 1 + randomInt(MAX_ANSWERS);
  /** Only a kill may interrupt a request. */
  const untilKilled = async (step: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !killed; turn++) {
      await step(turn).catch((error: unknown) => {
        if (!killed) throw error;
      });
      answersLeft -= 1;
      if (answersLeft <= 0) enough.resolve();
    }
  };
  const clients = [
    ...Array.from({ length: LOGIN_CLIENTS }, (_, client) =>
      untilKilled(async () => {
        answered.logins.push(await logInByRoutes(target, USERS[client] ?? '', PASSWORD));
      }),
    ),
    ...Array.from({ length: SIGN_UP_CLIENTS }, (_, client) =>
      untilKilled((turn) => signUp(target, `new-${round}-${client}-${turn}@poolgate.test`, answered)),
    ),
  ];
  const working = Promise.all(clients);
  await Promise.race([enough.promise.then(() => wait(randomInt(LONGEST_PAUSE_MS))), working]);
  killed = true;
  await service.kill();
  await working;
  return answered;
}

async function signUp(target: RouteTarget, email: string, answered: Answered): Promise<void> {
  await signUpByMail(target, email, PASSWORD);
  answered.signUps.push(email);
  await confirmByMail(target, email);
  answered.confirmed.push(email);
}

/** Lists what an earlier service acknowledged and this one does not know. */
async function listMissing(target: RouteTarget, { logins, signUps, confirmed }: Answered): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const email of signUps) {
    const status = await userStatus(target, email);
    if (status === undefined) missing.push(`user ${email}`);
    else if (confirmed.includes(email) && status !== 'CONFIRMED') missing.push(`confirmation of ${email}`);
  }
  for (const login of logins) missing.push(...(await faultsOfLogin(target, login)));
  return missing;
}

async function userStatus({ url }: RouteTarget, email: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/admin/users/${email}`, { headers: { authorization: `Bearer ${ADMIN_BEARER}` } });
  const body: unknown = await answer.json();
  if (answer.status === 404) return undefined;
  return requireBody<{ readonly user: { readonly status: string } }>({ status: answer.status, body }).user.status;
}

/** The replay comes first: it must fail because it is used, whatever refreshing does to the login. */
async function faultsOfLogin({ url }: RouteTarget, login: RouteLogin): Promise<readonly string[]> {
  const { username, transcript, refreshToken } = login;
  const replayed = await postJson(`${url}/login/auth-challenge`, transcript);
  const refreshed = await postJson(`${url}/token/refresh`, { refresh_token: refreshToken });
  return [
    ...(replayed.status === 401 ? [] : [`spent transcript of ${username}: ${replayed.status}`]),
    ...(refreshed.status === 200 ? [] : [`login of ${username}: its refresh token gives ${refreshed.status}`]),
  ];
}

/** SQLite's own check of the remaining file, including its log. */
function faultsOfFile(folder: string): readonly string[] {
  const database = new DatabaseSync(join(folder, 'poolgate.db'));
  try {
    const integrity = database.prepare('pragma integrity_check').all();
    const foreign = database.prepare('pragma foreign_key_check').all();
    const words = integrity.map((row) => String(row.integrity_check)).filter((word) => word !== 'ok');
    return [...words, ...foreign.map((row) => `a row of ${String(row.table)} without its ${String(row.parent)}`)];
  } finally {
    database.close();
  }
}
