import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BEHIND_PROXY, type Exchange } from '../../e2e/support/requests/exchange.ts';
import { addUser, startTestService, type TestService } from '../../e2e/support/services/test-service.ts';
import { addBallast, type BallastTable } from './ballast.ts';
import type { ProofResult } from './proof.ts';

const REQUESTS = 100_000;
/** The number of requests per network, as in a flood from a thousand networks. */
const REQUESTS_PER_NETWORK = 100;
/** How often each user is named. A user gets five codes per hour. */
const REQUESTS_PER_USER = 5;
/** Half of the flood's requests, like the default limit for a flood of 100,000. */
const DAILY_MESSAGES_PER_REQUEST = 1 / 2;
const RESETTING_USERS = 50;
const AT_ONCE = 16;
const NEW_PASSWORD = 'Another-Horse2!';
/** Concurrent requests use the last messages of a network in an order that no test controls. */
const MOST_APART = 0.01;

const FIRST_USER = 'first@example.com';

/** The users whom the flood names: copies of one. */
const NAMED_USERS: readonly BallastTable[] = [
  {
    table: 'users',
    columns:
      'pool_id username sub status enabled attributes mfa_methods preferred_mfa created_at_ms modified_at_ms'.split(
        ' ',
      ),
    where: `username = '{first}'`,
    changes: {
      username: '{key}',
      sub: '{key}',
      attributes: `replace(t.attributes, '${FIRST_USER}', {key} || '@example.com')`,
    },
  },
  {
    table: 'names',
    columns: ['pool_id', 'name', 'username'],
    where: `username = '{first}'`,
    changes: { username: '{key}', name: `{key} || '@example.com'` },
  },
];

/** The key of a copy, as `addBallast` writes it. */
function toUserName(number: number): string {
  const spread = ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
  return `${spread}-${number}@example.com`;
}

/** Half of the networks are a /48 with requests from many /64, half an IPv4 /24 with many hosts. */
function toFloodAddress(network: number, turn: number): string {
  const half = network >> 1;
  if (network % 2 === 0) return `2001:db8:${half.toString(16)}:${turn.toString(16)}::1`;
  return `10.${half >> 8}.${half & 0xff}.${1 + (turn % 250)}`;
}

interface Flood {
  readonly requests: number;
  readonly networks: number;
  readonly users: number;
}

interface FloodRequest {
  readonly address: string;
  readonly isOfUser: boolean;
  readonly name: string;
}

/** Pairs of requests from one network: one names a user and one an unknown name, each first equally often. */
function createFloodRequest({ networks, users }: Flood, number: number): FloodRequest {
  const pair = number >> 1;
  const isOfUser = (number + pair) % 2 === 0;
  const address = toFloodAddress(pair % networks, Math.floor(pair / networks));
  const whose = pair % users;
  return { address, isOfUser, name: isOfUser ? toUserName(whose) : `nobody-${whose}@example.com` };
}

/** The number of requests by status, for users and for unknown names. */
type Statuses = Record<'users' | 'nobody', Record<number, number>>;

async function flood(
  service: TestService,
  extent: Flood,
  between: (number: number) => Promise<void>,
): Promise<Statuses> {
  const statuses: Statuses = { users: {}, nobody: {} };
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < extent.requests) {
      const number = next++;
      const { address, isOfUser, name } = createFloodRequest(extent, number);
      const { status } = await service.post('/password/forgot', { email: name }, { 'x-forwarded-for': address });
      const counts = statuses[isOfUser ? 'users' : 'nobody'];
      counts[status] = (counts[status] ?? 0) + 1;
      await between(number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return statuses;
}

/** Returns the error; undefined if the user can log in with the new password. */
async function resetPassword(service: TestService, email: string, address: string): Promise<string | undefined> {
  const headers = { 'x-forwarded-for': address };
  const failure = (step: string, { status, text }: Exchange) => `${email}: ${step} was answered ${status}: ${text}`;
  const asked = await service.post('/password/forgot', { email }, headers);
  if (asked.status !== 200) return failure('the request for a code', asked);
  const code = service.outbox?.list(email)[0]?.code;
  if (code === undefined) return `${email}: no code arrived`;
  const { session } = asked.body;
  const changed = await service.post('/password/reset', { email, code, session, password: NEW_PASSWORD }, headers);
  if (changed.status !== 200) return failure('the code', changed);
  const login = await service.post('/login', { username: email, password: NEW_PASSWORD }, headers);
  return login.status === 200 ? undefined : failure('the login', login);
}

async function floodAndReset(service: TestService, extent: Flood, tell: (line: string) => void): Promise<ProofResult> {
  const emails = Array.from({ length: RESETTING_USERS }, (_, at) => `resets-${at}@example.com`);
  for (const email of emails) await addUser(service, email);
  const every = Math.floor(extent.requests / RESETTING_USERS);
  const faults: string[] = [];
  let resets = 0;
  const statuses = await flood(service, extent, async (number) => {
    const at = Math.floor(number / every);
    const email = number % every === every - 1 ? emails[at] : undefined;
    if (email === undefined) return;
    const fault = await resetPassword(service, email, `198.18.${at}.1`);
    resets += 1;
    if (fault !== undefined) faults.push(fault);
    tell(`${number + 1} of ${extent.requests} requests, ${resets - faults.length} of ${resets} resets`);
  });
  const succeeded = resets - faults.length;
  const answered = (name: keyof Statuses) =>
    Object.entries(statuses[name])
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
  const apart = Math.abs((statuses.users[200] ?? 0) - (statuses.nobody[200] ?? 0));
  if (apart > MOST_APART * extent.requests) faults.push('users and names that nobody has were answered differently');
  if (resets < RESETTING_USERS) faults.push(`only ${resets} users reset their passwords`);
  const counts = `${extent.requests} requests from ${extent.networks} networks, half of them for ${extent.users} users`;
  return {
    figure: `${counts}; answers for users ${answered('users')}; for names that nobody has ${answered('nobody')}; ${succeeded} of ${resets} other users reset their passwords meanwhile.`,
    faults,
  };
}

/** Floods a service with requests for reset codes while other users reset their passwords. */
export async function proveMailFlood(
  tell: (line: string) => void,
  [number = String(REQUESTS)]: readonly string[],
): Promise<ProofResult> {
  const requests = Number(number);
  const networks = Math.ceil(requests / REQUESTS_PER_NETWORK);
  const users = Math.ceil(requests / 2 / REQUESTS_PER_USER);
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-mail-flood-'));
  const options = {
    ...BEHIND_PROXY,
    databaseUrl: `sqlite:${join(folder, 'flood.db')}`,
    dataDir: join(folder, 'data'),
    limitMessages: Math.ceil(requests * DAILY_MESSAGES_PER_REQUEST),
  };
  try {
    const before = await startTestService(options);
    const first = await addUser(before, FIRST_USER).finally(() => before.close());
    const copies = NAMED_USERS.map((each) => ({ ...each, where: each.where.replace('{first}', first) }));
    await addBallast(options.databaseUrl, copies, 0, users);
    const service = await startTestService(options);
    return await floodAndReset(service, { requests, networks, users }, tell).finally(() => service.close());
  } finally {
    rmSync(folder, { recursive: true });
  }
}
