import { availableParallelism } from 'node:os';
import { defineDerivedSetting, defineSetting } from './setting.ts';
import {
  booleanKind,
  createChoiceKind,
  createListKind,
  createOptionalKind,
  createSecretKind,
  createSwitchableKind,
  createTextKind,
  createWholeNumberKind,
  databaseUrlKind,
  filePathKind,
  folderPathKind,
  hostKind,
  originKind,
} from './value-kinds.ts';

/** A shorter secret could be guessed. */
export const MIN_SECRET_LENGTH = 32;

const secret = createTextKind({
  allowed: `at least ${MIN_SECRET_LENGTH} characters, e.g. the output of: openssl rand -base64 32`,
  problem: `is shorter than ${MIN_SECRET_LENGTH} characters`,
  accepts: (input) => input.length >= MIN_SECRET_LENGTH,
});

/** The process: where it listens, its name, and where it stores data. */
export const processSettings = {
  port: defineSetting('PORT', createWholeNumberKind(0, 65_535), {
    default: 3000,
    help: 'Port to listen on. 0 takes a free one.',
  }),
  host: defineSetting('HOST', hostKind, {
    default: '127.0.0.1',
    help: 'Address to listen on. Anything but a loopback address switches the rules of production on, and then `BASE_URL` must be set.',
  }),
  baseUrl: defineDerivedSetting('BASE_URL', createOptionalKind(originKind, '(from PORT)'), {
    defaultText: '`http://localhost:$PORT`; `https` with `POOLGATE_TLS`',
    from: ({ port, scheme }): string | undefined => (port === 0 ? undefined : `${scheme}://localhost:${port}`),
    help: 'The URL under which clients reach the service. Its host and loopback are the only ones that are answered. Anything but a loopback host switches the rules of production on.',
  }),
  tls: defineSetting('POOLGATE_TLS', createChoiceKind(['off', 'dev']), {
    default: 'off',
    help: '`dev` serves https with a certificate that this start makes for the host of `BASE_URL`, in `<POOLGATE_DATA_DIR>/tls`; the start prints which authority to trust. In development only.',
  }),
  tlsCert: defineSetting('POOLGATE_TLS_CERT', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'File of a certificate (PEM, the chain behind it) to serve https with. It is read again when it changes.',
  }),
  tlsKey: defineSetting('POOLGATE_TLS_KEY', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'File of its private key (PEM, without a passphrase).',
  }),
  databaseUrl: defineDerivedSetting('DATABASE_URL', databaseUrlKind, {
    defaultText: '`sqlite:./data/poolgate.db` (in `POOLGATE_DATA_DIR`)',
    from: ({ dataDir }) => `sqlite:${dataDir}/poolgate.db`,
    sensitive: true,
    help: 'Where everything is kept. SQLite serves one service, PostgreSQL any number of replicas. The start logs which store it uses.',
  }),
  dataDir: defineSetting('POOLGATE_DATA_DIR', folderPathKind, {
    default: './data',
    help: 'Folder of the database and, in development, of the secrets that the first start makes. `pool.json` in it names the store of the pool, so that a lost database is not replaced by an empty one.',
  }),
  secrets: defineSetting('POOLGATE_SECRET', createOptionalKind(createSecretKind(createListKind(secret)), '(none)'), {
    default: undefined,
    defaultText: 'made on the first start in development, required in production',
    sensitive: true,
    help: 'Encrypts what must not stand in the database in clear. Several, comma-separated, while it is being replaced: the first encrypts, all decrypt.',
  }),
  development: defineSetting('POOLGATE_DEVELOPMENT', booleanKind, {
    default: false,
    help: 'True keeps to the rules of development although `HOST` or `BASE_URL` can be reached by others, as in a container with `HOST=0.0.0.0`. Then `/dev/*` asks for a token that the start prints, and the demo user has a random password. Refused with a public `BASE_URL`, and with `NODE_ENV=production`.',
  }),
  threads: defineSetting('POOLGATE_THREADS', createWholeNumberKind(1, 256), {
    default: availableParallelism(),
    defaultText: 'the cores that the process may use',
    help: 'How many threads compute SRP and sign tokens, so that the event loop need not. They start after the first 64 computations. 1, the default on one core: no thread is started, and the event loop computes one exponentiation at a time.',
  }),
  stopSeconds: defineSetting('POOLGATE_STOP_SECONDS', createOptionalKind(createWholeNumberKind(0, 300), '(by mode)'), {
    default: undefined,
    defaultText: '`3` in production, `0` in development',
    help: 'How long `poolgate serve` goes on serving after SIGTERM or SIGINT, with `/readyz` at 503 and each answer ending its connection, so that load balancers and kept connections move on. Requests in flight then have 6 seconds more.',
  }),
  metricsPort: defineSetting('POOLGATE_METRICS_PORT', createSwitchableKind(createWholeNumberKind(0, 65_535), 'off'), {
    default: undefined,
    defaultText: 'off',
    help: 'Port that serves `GET /metrics` for Prometheus and nothing else (docs/reference/monitoring.md). 0 takes a free one. Let only what collects them reach it.',
  }),
  metricsHost: defineSetting('POOLGATE_METRICS_HOST', createOptionalKind(hostKind, '(HOST)'), {
    default: undefined,
    defaultText: '`HOST`',
    help: 'Address to serve the metrics on.',
  }),
  metricsNames: defineSetting('POOLGATE_METRICS_NAMES', createListKind(hostKind), {
    default: [],
    defaultText: 'none',
    help: 'Names with a dot under which the metrics may be asked for, e.g. `auth-1.example.com`. An address, a name without a dot and the host of `BASE_URL` need not be named; every other `Host` is answered 421, so that no page of elsewhere can read them.',
  }),
  slowStatementMs: defineSetting('POOLGATE_SLOW_STATEMENT_MS', createWholeNumberKind(0, 60_000), {
    default: 500,
    help: 'From how many milliseconds on a statement of the database is logged, with its plan and without values. 0 switches it off.',
  }),
  logLevel: defineSetting(
    'LOG_LEVEL',
    createChoiceKind(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    {
      default: 'info',
      help: 'The least important log lines that are written.',
    },
  ),
  logFormat: defineSetting('LOG_FORMAT', createChoiceKind(['auto', 'json', 'pretty']), {
    default: 'auto',
    help: 'How `poolgate serve` writes its log: `json`, an object a line; `pretty`, a line for people; `auto`, pretty in development and json in production.',
  }),
};
