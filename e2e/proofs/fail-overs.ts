import { setTimeout as delay } from 'node:timers/promises';
import { dumpDatabase, execute, type PostgresPair } from '@poolgate/store/testing';
import { sendRequest } from '../support/requests/exchange.ts';
import { startKeepAliveClients } from '../support/services/keep-alive-clients.ts';
import { listLostUsers, startLedgerWriter } from '../support/services/write-ledger.ts';

/** Two services on one pair of clusters, and the headers for their admin routes. */
export interface FailedOver {
  readonly services: readonly { readonly url: string }[];
  readonly asAdmin: Readonly<Record<string, string>>;
  readonly pair: PostgresPair;
}

/** The result of one fail-over. */
export interface FailOverFigure {
  readonly answered: number;
  readonly refused: number;
  /** Users whose creation was acknowledged, before and after. */
  readonly created: number;
  /** From the promotion until the last service has logged in a user. */
  readonly recoveryMs: number;
  /** Responses other than 200 and 503, acknowledged data that is missing, and data that was written to the old primary. */
  readonly faults: readonly string[];
}

const LOGIN = { method: 'POST', path: '/login', body: { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' } };
const LONGEST_MS = 60_000;
const IS_REFUSAL = /^503 .*"code":"unavailable"/;

/** Makes the primary acknowledge only commits that its standby has; otherwise any fail-over loses the last ones. */
export async function acknowledgeAtBoth({ primaryUrl }: Pick<PostgresPair, 'primaryUrl'>): Promise<void> {
  await execute(primaryUrl, `alter system set synchronous_standby_names = '*'`);
  await execute(primaryUrl, 'select pg_reload_conf()');
}

const logIn = (url: string) => sendRequest(url, LOGIN.method, LOGIN.path, { body: LOGIN.body });
const logsIn = async ({ url }: { readonly url: string }): Promise<boolean> => (await logIn(url)).status === 200;

/** Returns how many of these addresses a database contains. */
async function countIn(url: string, addresses: readonly string[]): Promise<number> {
  const text = await dumpDatabase(url);
  return addresses.filter((address) => text.includes(`'${address}'`)).length;
}

/** Returns the refresh token of a separate user, because the first logins of the demo user end when it has too many. */
async function openSession(url: string, headers: FailedOver['asAdmin']): Promise<unknown> {
  const username = 'before@example.com';
  const passwords = ['Correct-Horse1!', 'Another-Horse2!'];
  const post = (path: string, body: unknown, sent = {}) => sendRequest(url, 'POST', path, { body, headers: sent });
  await post('/admin/users', { email: username, temp_password: passwords[0] }, headers);
  const { body } = await post('/login', { username, password: passwords[0] });
  const answer = { challenge_name: body.challenge_name, session: body.session_token, username };
  const { status, text, body: tokens } = await post('/challenge', { ...answer, challenge_value: passwords[1] });
  if (status !== 200) throw new Error(text);
  return tokens.refresh_token;
}

/**
 * Ends the primary under load, promotes the standby, and restarts the old one as if it were still the primary.
 * @param how like {@link PostgresPair.stopPrimary}
 */
export async function failOver(
  { services, asAdmin, pair }: FailedOver,
  { clients, how }: { readonly clients: number; readonly how?: 'immediate' },
): Promise<FailOverFigure> {
  const [first, last] = [services[0], services.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('no service');
  const faults: string[] = [];
  const loads = services.map(({ url }) => startKeepAliveClients(url, clients, () => LOGIN));
  const writers = services.map(({ url }, index) => startLedgerWriter({ url, asAdmin }, `at-${index}`));
  const allCreate = (): Promise<unknown> => Promise.all(writers.map((writer) => writer.next('created')));
  await Promise.all(loads.map(({ warm }) => warm));
  await allCreate();
  const refreshToken = await openSession(first.url, asAdmin);

  await pair.stopPrimary(how);
  while (await logsIn(first)) await delay(2);
  await pair.promote();
  const began = performance.now();
  for (const service of services) {
    while (!(await logsIn(service)) && performance.now() - began < LONGEST_MS) await delay(2);
  }
  const recoveryMs = performance.now() - began;
  const known = writers.map(({ ledger }) => ledger.created.length);
  await allCreate();
  await pair.startPrimary();
  await allCreate();

  const reports = await Promise.all(loads.map((load) => load.stop()));
  const ledgers = await Promise.all(writers.map((writer) => writer.stop()));
  const others = reports.flatMap((report) => report.others);
  const strange = others.filter((answer) => !IS_REFUSAL.test(answer));
  faults.push(...reports.flatMap(({ lost }) => lost), ...strange, ...ledgers.flatMap((ledger) => ledger.others));
  // At the other service than the one that acknowledged it.
  for (const [index, { created }] of ledgers.entries()) {
    const { url } = services[services.length - 1 - index] ?? first;
    faults.push(...(await listLostUsers({ url, asAdmin }, created)));
  }
  const split = await countIn(
    pair.primaryUrl,
    ledgers.flatMap(({ created }, index) => created.slice(known[index])),
  );
  if (split > 0) faults.push(`${split} users were written to the primary of before`);
  const refreshed = await sendRequest(last.url, 'POST', '/token/refresh', {
    body: { refresh_token: refreshToken },
  });
  if (refreshed.status !== 200) faults.push(`a session of before is answered by ${refreshed.status} ${refreshed.text}`);
  return {
    answered: reports.reduce((sum, report) => sum + report.answered, 0),
    refused: others.length - strange.length,
    created: ledgers.reduce((sum, { created }) => sum + created.length, 0),
    recoveryMs,
    faults,
  };
}
