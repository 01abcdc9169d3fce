import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Timer } from '@poolgate/pool';
import { createMigratedDatabase } from '@poolgate/store/testing';
import { type Service, type StartOptions, start } from 'poolgate';
import { TestClock } from '../../../packages/pool/src/testing/test-environment.ts';
import { HOST_SYSTEM } from '../../../packages/poolgate/src/process/system.ts';
import { SHARED_ADMIN_KEY, startBackingPool } from '../provider/backing-pool.ts';
import { HAPROXY_VARIABLE, HAS_REPLICAS, ON_COGNITO } from '../provider/tested-provider.ts';
import { type Exchange, type RequestContent, sendRequest } from '../requests/exchange.ts';
import { reserveHaproxy } from './haproxy.ts';
import { mergeOutboxes } from './merged-outbox.ts';
import { startRandomBalancer } from './random-balancer.ts';

/** A running service with a clock that stands still, without limits by address. */
export interface TestService extends Omit<Service, 'clock'> {
  readonly clock: TestClock;
  /** The part of the pool's id that is hashed with every password. */
  readonly poolName: string;
  /** The folder of its development secrets. */
  readonly dataDir: string;
  /** Headers with access to every admin endpoint. */
  readonly asAdmin: Readonly<Record<string, string>>;
  ask(method: string, path: string, sent?: RequestContent): Promise<Exchange>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Exchange>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Exchange>;
  /** Calls an operation of AWS JSON 1.1. */
  call(operation: string, input: unknown, headers?: Readonly<Record<string, string>>): Promise<Exchange>;
  /** Starts another service over the same database and secrets, with the same clock. */
  replica(): Promise<TestService>;
}

const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);

/** The default options of a test service. */
const WITHOUT_LIMITS: StartOptions = {
  overloadMs: 0,
  databaseUrl: 'sqlite::memory:',
  port: 0,
  limitReads: 0,
  limitLoginSteps: 0,
  limitUserSteps: 0,
  // The suites test the limits of production.
  limitSourceMessages: 2,
};

/** Starts the service on a database, in development, so with demo user, admin key and outbox. */
export async function startTestService(
  options: StartOptions = {},
  clock = new TestClock(START_MS),
): Promise<TestService> {
  if (ON_COGNITO) return startServiceOnCognito(options, clock);
  const folder = await createFolder();
  const all = { ...folder.options, ...options, clock };
  if (HAS_REPLICAS && all.databaseUrl === 'sqlite::memory:') return startReplicatedService(all, clock, folder.remove);
  return createTestService(all, clock, folder.remove);
}

/**
 * Starts the service in front of a pool with Cognito's protocol. Users, messages and the Cognito-compatible API are those of the pool.
 * @param between returns the URL for reaching the pool, if something is in between; it receives the URL with a separate address per
 *   request, and the pool's own URL
 */
export async function startServiceOnCognito(
  options: StartOptions = {},
  clock = new TestClock(START_MS),
  between: (poolUrl: string, ownUrl: string) => Promise<string> = (poolUrl) => Promise.resolve(poolUrl),
): Promise<TestService> {
  const folder = await createFolder();
  const all = { ...folder.options, ...options, clock };
  const backing = await startBackingPool(all, clock);
  const endpoint = await between(backing.url, backing.service.url);
  const closeAll = () => backing.close().then(folder.remove);
  return createTestService({ ...backing.gatewayOptions(all), endpoint }, clock, closeAll, backing.service);
}

async function createFolder(): Promise<{ readonly options: StartOptions; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-e2e-'));
  return {
    options: { ...WITHOUT_LIMITS, dataDir: join(folder, 'data') },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A timer this long is a check for work that other replicas may have left. */
const POLL_MS = 10_000;

/**
 * Timers of a replica that does only its own work. A replica that looks for the work of others may take a message between another replica's
 * write and its response. A client with the response would not yet find the message in an outbox.
 */
export const NO_POLLING_TIMER: Timer = {
  after: (delayMs, run) => (delayMs < POLL_MS ? HOST_SYSTEM.timer.after(delayMs, run) : () => {}),
};

interface Balancer {
  /** Known before any replica exists: clients reach all of them at it. */
  readonly url: string;
  use(urls: readonly string[]): void | Promise<void>;
  close(): Promise<void>;
}

/** HAProxy if it is configured, otherwise the random balancer. */
function startBalancer(onAnswer: () => void): Promise<Balancer> {
  const program = process.env[HAPROXY_VARIABLE];
  return program === undefined ? startRandomBalancer([], { onAnswer }) : reserveHaproxy(program);
}

/** Longer than the maximum delay until a replica sees another's change of settings. */
const SEEN_MS = 3_001;

/** The operations and routes that change what replicas have cached. */
const CHANGES_SETTINGS =
  /^(?:(?:Add|Create|Delete|Set|Update)(?:UserPool|ResourceServer|IdentityProvider|UICustomization|ManagedLogin|CustomAttributes)|(?:POST|PATCH|DELETE) \/admin\/(?:clients|identity-providers|resource-servers|domains|pool))/;

/** Starts two services on one PostgreSQL behind a load balancer that selects one at random, as if they were one. */
async function startReplicatedService(
  options: StartOptions,
  clock: TestClock,
  removeFolder: () => Promise<void>,
): Promise<TestService> {
  const database = await createMigratedDatabase();
  const balancer = await startBalancer(() => outbox.collect());
  const shared: StartOptions = {
    baseUrl: balancer.url.replace('127.0.0.1', 'localhost'),
    ...options,
    databaseUrl: database.url,
    bootstrapAdminKey: { id: SHARED_ADMIN_KEY.id, secret: SHARED_ADMIN_KEY.secret },
    timer: options.timer ?? NO_POLLING_TIMER,
  };
  const replicas = [await start(shared), await start(shared)];
  const [one] = replicas;
  if (one === undefined) throw new TypeError('no replica');
  const outbox = mergeOutboxes(replicas.flatMap((replica) => replica.outbox ?? []));
  await balancer.use(replicas.map(({ url }) => url));
  const service: Service = {
    ...one,
    url: balancer.url,
    adminKey: SHARED_ADMIN_KEY,
    outbox: one.outbox && outbox,
    close: async (noticeMs) => {
      await balancer.close();
      await Promise.all(replicas.map((replica) => replica.close(noticeMs)));
    },
  };
  return toTestService(service, clock, {
    dataDir: options.dataDir ?? '',
    onAnswer: outbox.collect,
    // After a change of settings, waits until each replica sees it, before the next request is sent.
    onChange: (name) => (CHANGES_SETTINGS.test(name) ? clock.advance(SEEN_MS) : undefined),
    replica: () => createTestService(shared, clock, () => Promise.resolve()),
    afterwards: async () => {
      await database.drop();
      await removeFolder();
    },
  });
}

/** @param backing the pool behind the service, if it is another service */
async function createTestService(
  options: StartOptions,
  clock: TestClock,
  afterwards: () => Promise<void>,
  backing?: Service,
): Promise<TestService> {
  const service = await start(options);
  return toTestService(service, clock, {
    backing,
    dataDir: options.dataDir ?? '',
    replica: () => createTestService(options, clock, () => Promise.resolve(), backing),
    afterwards,
  });
}

interface TestServiceParts {
  /** Called after each response. */
  readonly onAnswer?: () => void;
  /** Called after each operation of AWS JSON with its name, and after each other request with its method and path. */
  readonly onChange?: (name: string) => void;
  readonly backing?: Service | undefined;
  readonly dataDir: string;
  replica(): Promise<TestService>;
  afterwards(): Promise<void>;
}

/** Wraps a running service for tests, whatever started it. */
export function toTestService(
  service: Service,
  clock: TestClock,
  { backing, dataDir, replica, afterwards, onAnswer = () => {}, onChange = () => {} }: TestServiceParts,
): TestService {
  const adminKey = backing === undefined ? service.adminKey : SHARED_ADMIN_KEY;
  const cognitoApiUrl = (backing ?? service).url;
  const ask: TestService['ask'] = (method, path, sent) =>
    sendRequest(service.url, method, path, sent).finally(() => {
      onAnswer();
      onChange(`${method} ${path}`);
    });
  const post: TestService['post'] = (path, body, headers = {}) => ask('POST', path, { body, headers });
  return {
    ...service,
    clock,
    adminKey,
    outbox: (backing ?? service).outbox,
    dataDir,
    poolName: service.userPoolId.split('_')[1] ?? '',
    asAdmin: { authorization: `Bearer ${adminKey?.bearer}` },
    ask,
    post,
    get: (path, headers = {}) => ask('GET', path, { headers }),
    call: (operation, body, headers = {}) =>
      sendRequest(cognitoApiUrl, 'POST', '/', {
        body,
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
          ...headers,
        },
      }).finally(() => onChange(operation)),
    replica,
    async close(noticeMs) {
      await service.close(noticeMs);
      await afterwards();
    },
  };
}

/** A password that the default pool accepts. */
export const PASSWORD = 'Correct-Horse1!';

/** Creates a confirmed user with a permanent password; returns its canonical username. */
export async function addUser(service: TestService, email: string, password = PASSWORD): Promise<string> {
  const created = await inviteUser(service, email);
  const user = { UserPoolId: service.userPoolId, Username: email };
  const set = await service.call(
    'AdminSetUserPassword',
    { ...user, Password: password, Permanent: true },
    service.asAdmin,
  );
  assert.equal(set.status, 200, set.text);
  return created;
}

/** Creates a user who must change a temporary password; returns its canonical username. */
export async function inviteUser(service: TestService, email: string, temporaryPassword = PASSWORD): Promise<string> {
  const created = await service.post('/admin/users', { email, temp_password: temporaryPassword }, service.asAdmin);
  assert.equal(created.status, 201, created.text);
  return (created.body.user as { username: string }).username;
}

/** Returns the three tokens of a response that must have all three. */
export function requireTokens({ status, body, text }: Exchange): { access: string; id: string; refresh: string } {
  assert.equal(status, 200, text);
  assert.equal(body.status, 'success', text);
  const { access_token: access, id_token: id, refresh_token: refresh } = body as Record<string, string | undefined>;
  assert.ok(access && id && refresh, text);
  return { access, id, refresh };
}

/** Expects problem+json with this status and code. */
export function assertProblem(answer: Exchange, status: number, code: string, about?: string): void {
  const described = `${about ?? ''} ${answer.text}`;
  assert.deepEqual([answer.status, answer.body.code], [status, code], described);
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/, described);
  assert.equal(answer.body.status, status, described);
}

/** Like {@link assertProblem} for 422, with the name of the field. */
export function assertInvalidField(answer: Exchange, field: string | RegExp, about?: string): void {
  assertProblem(answer, 422, 'validation_failed', about);
  const fields = (answer.body.errors as readonly { field: string }[]).map((error) => error.field);
  const isNamed = fields.some((name) => (typeof field === 'string' ? name === field : field.test(name)));
  assert.ok(isNamed, `${about ?? ''} ${answer.text}`);
}
