import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Account, Target } from '../load/drive.ts';
import { findFreePort, type Program } from '../rig/server.ts';

const VERSION = '26.7.3';
const FOLDER = fileURLToPath(new URL('../../tmp/keycloak/', import.meta.url));
const ADMIN = { username: 'admin', password: 'only-for-the-benchmark' } as const;
const APP = 'app';
const MACHINE = { id: 'machine', secret: 'only-for-the-benchmark-0123456789abcdef' } as const;

const run = promisify(execFile);

/** Password policies of a realm. */
export const KEYCLOAK_HASHES = {
  /** Argon2id, 7 MiB, 5 passes: the default of a realm. */
  argon2: undefined,
  /**
   * With 64 bytes of output, OpenSSL needs as long for this as for the one exponentiation that compares a password with an SRP verifier.
   */
  pbkdf2: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(2700)',
} as const;

/** A row of {@link KEYCLOAK_HASHES}. */
export type KeycloakHash = keyof typeof KEYCLOAK_HASHES;

/**
 * Returns the folder of a Keycloak that is built for PostgreSQL: the one in `KEYCLOAK` (`kc.sh build --db=postgres --cache=local`), or the
 * distribution from Maven Central, which Maven downloads once. It needs JDK 21 or later, at `JAVA_HOME` or on the path.
 */
export async function prepareKeycloak(): Promise<string> {
  const folder = process.env.KEYCLOAK ?? join(FOLDER, `keycloak-${VERSION}`);
  const mark = `${folder}.built`;
  if (process.env.KEYCLOAK !== undefined || existsSync(mark)) return folder;
  mkdirSync(FOLDER, { recursive: true });
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${FOLDER}`]);
  // A JDK contains this, while a machine may have no unzip.
  await run(findJavaTool('jar'), ['xf', join(FOLDER, `keycloak-quarkus-dist-${VERSION}.zip`)], { cwd: FOLDER });
  await run('bash', [join(folder, 'bin/kc.sh'), 'build', '--db=postgres', '--cache=local']);
  writeFileSync(mark, '');
  return folder;
}

function findJavaTool(name: string): string {
  const home = process.env.JAVA_HOME;
  return home === undefined ? name : join(home, 'bin', name);
}

/** Returns the first line of `java -version`. */
export function describeJava(): string {
  const told = execFileSync(findJavaTool('java'), ['--version'], { encoding: 'utf8' });
  return told.split('\n', 1)[0] ?? '';
}

/** The JVM options of `kc.sh`. The script itself stays next to the server that it starts, so its process id cannot end the server. */
const listJavaOptions = (keycloak: string): readonly string[] => [
  ...['-Xms64m', '-Xmx512m', '-XX:MetaspaceSize=96M', '-XX:MaxMetaspaceSize=256m', '-XX:+UseG1GC'],
  ...['java.util', 'java.util.concurrent', 'java.security', 'java.lang'].map(
    (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
  ),
  '--enable-native-access=ALL-UNNAMED',
  '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
  '-Djava.util.logging.manager=org.jboss.logmanager.LogManager',
  '-Dfile.encoding=UTF-8',
  '-Dpicocli.disable.closures=true',
  `-Dkc.home.dir=${keycloak}`,
  `-Djboss.server.config.dir=${join(keycloak, 'conf')}`,
];

/** Keycloak as `kc.sh start --optimized` starts it, in production mode, on a database of PostgreSQL. */
export async function createKeycloakProgram(folder: string, keycloak: string, databaseUrl: string): Promise<Program> {
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  const port = await findFreePort();
  return {
    command: findJavaTool('java'),
    words: [
      ...listJavaOptions(keycloak),
      ...['-cp', join(keycloak, 'lib/quarkus-run.jar'), 'io.quarkus.bootstrap.runner.QuarkusEntryPoint'],
      ...['start', '--optimized'],
    ],
    folder,
    environment: {
      KC_DB_URL: `jdbc:postgresql://${hostname}:${databasePort}${pathname}`,
      KC_DB_USERNAME: decodeURIComponent(username),
      KC_DB_PASSWORD: decodeURIComponent(password),
      KC_HTTP_ENABLED: 'true',
      KC_HTTP_HOST: '127.0.0.1',
      KC_HTTP_PORT: String(port),
      KC_HOSTNAME_STRICT: 'false',
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
    readyPath: '/realms/master',
    port,
    patienceMs: 600_000,
  };
}

async function requestAdminToken(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
  if (token === undefined) throw new Error(`Keycloak's administrator cannot log in: ${answer.status}`);
  return token;
}

/** The applications of a realm: one whose users log in with a password, and a machine. */
const CLIENTS = [
  { clientId: APP, publicClient: true, directAccessGrantsEnabled: true, standardFlowEnabled: false },
  {
    clientId: MACHINE.id,
    secret: MACHINE.secret,
    publicClient: false,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
  },
];

/** Creates a realm with the users, whose passwords are hashed as the realm requires. The realm has the name of the hash. */
export async function fillKeycloak(url: string, accounts: readonly Account[], hash: KeycloakHash): Promise<Target> {
  const passwordPolicy = KEYCLOAK_HASHES[hash];
  const users = accounts.map(({ username, password }) => ({
    ...{ username, email: username, emailVerified: true, firstName: 'Ada', lastName: 'Lovelace', enabled: true },
    credentials: [{ type: 'password', value: password, temporary: false }],
  }));
  const realm = {
    ...{ realm: hash, enabled: true, sslRequired: 'none', clients: CLIENTS },
    // Like Poolgate: events are stored, wrong passwords are counted, refresh tokens are rotated.
    ...{ eventsEnabled: true, eventsExpiration: 86_400, bruteForceProtected: true, revokeRefreshToken: true },
  };
  const created = await fetch(`${url}/admin/realms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await requestAdminToken(url)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...realm, ...(passwordPolicy !== undefined && { passwordPolicy }) }),
  });
  if (created.status !== 201) throw new Error(`${created.status} for a realm: ${await created.text()}`);
  for (const user of users) {
    // The token expires after a minute, and passwords may be slow to hash.
    const token = await requestAdminToken(url);
    const answer = await fetch(`${url}/admin/realms/${hash}/users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(user),
    });
    if (answer.status !== 201) throw new Error(`${answer.status} for a user: ${await answer.text()}`);
  }
  const tokenUrl = `${url}/realms/${hash}/protocol/openid-connect/token`;
  return { url, accounts, oauth: { authorizeUrl: '', tokenUrl, clientId: APP } };
}

/** Adds a client to a realm. @param client a `ClientRepresentation` of its admin API */
export async function createKeycloakClient(url: string, realm: string, client: object): Promise<void> {
  const answer = await fetch(`${url}/admin/realms/${realm}/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await requestAdminToken(url)}`, 'content-type': 'application/json' },
    body: JSON.stringify(client),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} for a client: ${await answer.text()}`);
}

/** The target of the same realm for a machine. */
export function toMachineTarget(target: Target): Target {
  if (target.oauth === undefined) throw new TypeError('target must be an authorization server');
  return { ...target, oauth: { ...target.oauth, clientId: MACHINE.id, clientSecret: MACHINE.secret } };
}
