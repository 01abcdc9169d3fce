import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postJson } from '../../e2e/support/requests/post-json.ts';
import { logInByRoutes, readRouteTarget } from '../../e2e/support/routes/route-login.ts';
import { startKeepAliveClients } from '../../e2e/support/services/keep-alive-clients.ts';
import { startRandomBalancer } from '../../e2e/support/services/random-balancer.ts';
import { type ServiceProcess, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { createTestDatabase } from '../../packages/store/src/testing/postgres.ts';
import { unpackOldVersion } from './old-version.ts';
import type { ProofResult } from './proof.ts';

/** The last release. */
const VERSION = '2.0.6';
const CLIENTS = 4;
const LOOK_MS = 100;
/** How long both versions run together. */
const TOGETHER_MS = 10_000;
const LOGINS_EACH = 10;
const USER = 'demo@poolgate.test';
const PASSWORD = 'Demo-Passw0rd!';

/** Logs in at one and continues at the other, in both directions. */
async function continueElsewhere(one: ServiceProcess, other: ServiceProcess, faults: string[]): Promise<number> {
  let logins = 0;
  for (const [first, second, name] of [
    [one, other, 'old to new'],
    [other, one, 'new to old'],
  ] as const) {
    for (let login = 0; login < LOGINS_EACH; login += 1) {
      const { refreshToken, accessToken } = await logInByRoutes(await readRouteTarget(first.url), USER, PASSWORD);
      const profile = await fetch(`${second.url}/user/profile`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      await profile.arrayBuffer();
      if (profile.status !== 200) faults.push(`${name}: an access token is answered by ${profile.status}`);
      const refreshed = await postJson(`${second.url}/token/refresh`, { refresh_token: refreshToken });
      if (refreshed.status !== 200) faults.push(`${name}: a refresh token is answered by ${refreshed.status}`);
      logins += 1;
    }
  }
  return logins;
}

/**
 * Replaces two replicas of an older version with this version while clients log in: the first new one migrates the database under the
 * others.
 */
export async function proveVersionsTogether(
  tell: (line: string) => void,
  [version = VERSION]: readonly string[],
): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-versions-'));
  const program = unpackOldVersion(version, folder);
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url };
  const startOld = () => startServiceProcess(folder, settings, program);
  const startNew = () => startServiceProcess(folder, { ...settings, POOLGATE_STOP_SECONDS: '1' });
  const old = [await startOld(), await startOld()] as const;
  const urlOf = ({ url }: ServiceProcess): string => url;
  const spreader = await startRandomBalancer(old.map(urlOf), { lookMs: LOOK_MS });
  const load = startKeepAliveClients(spreader.url, CLIENTS, (turn) =>
    turn % 4 === 3
      ? { method: 'GET', path: '/login/parameters' }
      : { method: 'POST', path: '/login', body: { username: USER, password: PASSWORD } },
  );
  await load.warm;
  const faults: string[] = [];
  const use = async (running: readonly ServiceProcess[]): Promise<void> => {
    spreader.use(running.map(urlOf));
    while (!running.every(({ url }) => spreader.isUsed(url))) await delay(LOOK_MS);
  };
  const first = await startNew();
  tell('the new version has migrated the database of the old one');
  await use([...old, first]);
  const logins = await continueElsewhere(old[0], first, faults);
  await delay(TOGETHER_MS);
  await use([old[1], first]);
  await delay(2 * LOOK_MS);
  await old[0].stop();
  const second = await startNew();
  await use([first, second]);
  await delay(2 * LOOK_MS);
  await old[1].stop();
  await delay(TOGETHER_MS / 2);
  const { answered, others, lost } = await load.stop();
  faults.push(...others, ...lost, ...spreader.lost);
  await spreader.close();
  for (const replica of [first, second]) await replica.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
  return {
    figure: `two replicas of ${version} replaced one after the other, both versions together for more than ${TOGETHER_MS / 1000} s on a database that the new one had migrated; ${CLIENTS} clients: ${answered} answered; ${logins} logins by SRP at one version whose tokens the other took; faults: ${faults.length}.`,
    faults,
  };
}
