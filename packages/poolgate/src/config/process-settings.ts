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
    help: 'The port to listen on. 0 picks a free port.',
  }),
  host: defineSetting('HOST', hostKind, {
    default: '127.0.0.1',
    help: 'The address to listen on. Any address other than loopback turns on the production rules and requires `BASE_URL`.',
  }),
  baseUrl: defineDerivedSetting('BASE_URL', createOptionalKind(originKind, '(from PORT)'), {
    defaultText: '`http://localhost:$PORT`; `https` with `POOLGATE_TLS`',
    from: ({ port, scheme }): string | undefined => (port === 0 ? undefined : `${scheme}://localhost:${port}`),
    help: 'The URL where clients reach the service. The service only answers requests for its host and for loopback. Any host other than loopback turns on the production rules.',
  }),
  tls: defineSetting('POOLGATE_TLS', createChoiceKind(['off', 'dev']), {
    default: 'off',
    help: '`dev` serves https with a certificate that this start makes for the host of `BASE_URL`, in `<POOLGATE_DATA_DIR>/tls`; the start prints which authority to trust. In development only.',
  }),
  tlsCert: defineSetting('POOLGATE_TLS_CERT', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'The file of the certificate (PEM, followed by its chain) to serve https with. The service reloads it when it changes.',
  }),
  tlsKey: defineSetting('POOLGATE_TLS_KEY', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: "The file of the certificate's private key (PEM, without a passphrase).",
  }),
  databaseUrl: defineDerivedSetting('DATABASE_URL', databaseUrlKind, {
    defaultText: '`sqlite:./data/poolgate.db` (in `POOLGATE_DATA_DIR`)',
    from: ({ dataDir }) => `sqlite:${dataDir}/poolgate.db`,
    sensitive: true,
    help: 'The database that stores everything. SQLite serves one process, PostgreSQL any number of replicas. The service logs which store it uses when it starts.',
  }),
  dataDir: defineSetting('POOLGATE_DATA_DIR', folderPathKind, {
    default: './data',
    help: "The folder of the database and, in development, of the secrets created on the first start. Its `pool.json` identifies the pool's store, so that a lost database is not replaced with an empty one.",
  }),
  secrets: defineSetting('POOLGATE_SECRET', createOptionalKind(createSecretKind(createListKind(secret)), '(none)'), {
    default: undefined,
    defaultText: 'created on the first start in development; required in production',
    sensitive: true,
    help: 'The secret that encrypts sensitive values in the database. List several, separated by commas, while you rotate it: the first encrypts, all of them decrypt.',
  }),
  development: defineSetting('POOLGATE_DEVELOPMENT', booleanKind, {
    default: false,
    help: '`true` keeps the development rules although others can reach `HOST` or `BASE_URL`, as in a container with `HOST=0.0.0.0`. `/dev/*` then requires a token that the service prints when it starts, and the demo user has a random password. Refused with a public `BASE_URL` or `NODE_ENV=production`.',
  }),
  threads: defineSetting('POOLGATE_THREADS', createWholeNumberKind(1, 256), {
    default: availableParallelism(),
    defaultText: 'the number of cores available to the process',
    help: 'How many threads compute SRP and sign tokens instead of the event loop. They start after the first 64 computations. With 1, the default on one core, the event loop computes one exponentiation at a time and no thread starts.',
  }),
  stopSeconds: defineSetting('POOLGATE_STOP_SECONDS', createOptionalKind(createWholeNumberKind(0, 300), '(by mode)'), {
    default: undefined,
    defaultText: '`3` in production, `0` in development',
    help: 'How long `poolgate serve` keeps serving after SIGTERM or SIGINT. Meanwhile `/readyz` returns 503 and each response closes its connection, so that load balancers and clients move on. Requests in flight then have 6 more seconds.',
  }),
  metricsPort: defineSetting('POOLGATE_METRICS_PORT', createSwitchableKind(createWholeNumberKind(0, 65_535), 'off'), {
    default: undefined,
    defaultText: 'off',
    help: 'The port that serves only `GET /metrics` for Prometheus (docs/reference/monitoring.md). 0 picks a free port. Allow only your metrics collector to reach it.',
  }),
  metricsHost: defineSetting('POOLGATE_METRICS_HOST', createOptionalKind(hostKind, '(HOST)'), {
    default: undefined,
    defaultText: '`HOST`',
    help: 'The address to serve metrics on.',
  }),
  metricsNames: defineSetting('POOLGATE_METRICS_NAMES', createListKind(hostKind), {
    default: [],
    defaultText: 'none',
    help: 'Host names with a dot that may be used to request metrics, e.g. `auth-1.example.com`. IP addresses, names without a dot and the host of `BASE_URL` always work. Every other `Host` gets 421, so that foreign web pages cannot read the metrics.',
  }),
  slowStatementMs: defineSetting('POOLGATE_SLOW_STATEMENT_MS', createWholeNumberKind(0, 60_000), {
    default: 500,
    help: 'Database statements that take at least this many milliseconds are logged with their plan, without values. 0 turns the log off.',
  }),
  logLevel: defineSetting(
    'LOG_LEVEL',
    createChoiceKind(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    {
      default: 'info',
      help: 'The lowest level of log lines to write.',
    },
  ),
  logFormat: defineSetting('LOG_FORMAT', createChoiceKind(['auto', 'json', 'pretty']), {
    default: 'auto',
    help: 'The log format of `poolgate serve`: `json` for one object per line, `pretty` for readable lines, `auto` for pretty in development and json in production.',
  }),
};
