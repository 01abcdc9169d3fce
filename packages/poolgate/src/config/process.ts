import { availableParallelism } from 'node:os';
import {
  booleanKind,
  choice,
  databaseUrl,
  file,
  folder,
  host,
  list,
  optional,
  origin,
  secretKind,
  text,
  wholeNumber,
} from './kinds.ts';
import { derivedSetting, setting } from './setting.ts';

/** Fewer characters could be guessed. */
export const SECRET_LENGTH = 32;

const secret = text({
  allowed: `at least ${SECRET_LENGTH} characters, e.g. the output of: openssl rand -base64 32`,
  problem: `is shorter than ${SECRET_LENGTH} characters`,
  accepts: (input) => input.length >= SECRET_LENGTH,
});

/** The process: where it listens, what it is called, where it keeps things. */
export const processSettings = {
  port: setting('PORT', wholeNumber(0, 65_535), {
    default: 3000,
    help: 'Port to listen on. 0 takes a free one.',
  }),
  host: setting('HOST', host, {
    default: '127.0.0.1',
    help: 'Address to listen on. Anything but a loopback address switches the rules of production on, and then `BASE_URL` must be set.',
  }),
  baseUrl: derivedSetting('BASE_URL', optional(origin, '(from PORT)'), {
    defaultText: '`http://localhost:$PORT`; `https` with `POOLGATE_TLS`',
    from: ({ port, scheme }): string | undefined => (port === 0 ? undefined : `${scheme}://localhost:${port}`),
    help: 'The URL under which clients reach the service. Its host and loopback are the only ones that are answered. Anything but a loopback host switches the rules of production on.',
  }),
  tls: setting('POOLGATE_TLS', choice(['off', 'dev']), {
    default: 'off',
    help: '`dev` serves https with a certificate that this start makes for the host of `BASE_URL`, in `<POOLGATE_DATA_DIR>/tls`; the start prints which authority to trust. In development only.',
  }),
  tlsCert: setting('POOLGATE_TLS_CERT', optional(file, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'File of a certificate (PEM, the chain behind it) to serve https with. It is read again when it changes.',
  }),
  tlsKey: setting('POOLGATE_TLS_KEY', optional(file, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'File of its private key (PEM, without a passphrase).',
  }),
  databaseUrl: derivedSetting('DATABASE_URL', databaseUrl, {
    defaultText: '`sqlite:./data/poolgate.db` (in `POOLGATE_DATA_DIR`)',
    from: ({ dataDir }) => `sqlite:${dataDir}/poolgate.db`,
    sensitive: true,
    help: 'Where everything is kept. SQLite serves one service, PostgreSQL any number of replicas. The start logs which store it uses.',
  }),
  dataDir: setting('POOLGATE_DATA_DIR', folder, {
    default: './data',
    help: 'Folder of the database and, in development, of the secrets that the first start makes. `pool.json` in it names the store of the pool, so that a lost database is not replaced by an empty one.',
  }),
  secrets: setting('POOLGATE_SECRET', optional(secretKind(list(secret)), '(none)'), {
    default: undefined,
    defaultText: 'made on the first start in development, required in production',
    sensitive: true,
    help: 'Encrypts what must not stand in the database in clear. Several, comma-separated, while it is being replaced: the first encrypts, all decrypt.',
  }),
  development: setting('POOLGATE_DEVELOPMENT', booleanKind, {
    default: false,
    help: 'True keeps to the rules of development although `HOST` or `BASE_URL` can be reached by others, as in a container with `HOST=0.0.0.0`. Then `/dev/*` asks for a token that the start prints, and the demo user has a random password. Refused with a public `BASE_URL`, and with `NODE_ENV=production`.',
  }),
  threads: setting('POOLGATE_THREADS', wholeNumber(1, 256), {
    default: availableParallelism(),
    defaultText: 'the cores that the process may use',
    help: 'How many threads compute SRP and sign tokens, so that the event loop need not. They start once there is something to compute. 1: the event loop does it.',
  }),
  stopSeconds: setting('POOLGATE_STOP_SECONDS', optional(wholeNumber(0, 300), '(by mode)'), {
    default: undefined,
    defaultText: '`3` in production, `0` in development',
    help: 'How long `poolgate serve` goes on serving after SIGTERM or SIGINT, with `/readyz` at 503 and each answer ending its connection, so that load balancers and kept connections move on. Requests in flight then have 6 seconds more.',
  }),
  metricsPort: setting('POOLGATE_METRICS_PORT', optional(wholeNumber(0, 65_535), '(off)'), {
    default: undefined,
    defaultText: 'off',
    help: 'Port that serves `GET /metrics` for Prometheus and nothing else (docs/monitoring.md). 0 takes a free one. Let only what collects them reach it.',
  }),
  metricsHost: setting('POOLGATE_METRICS_HOST', optional(host, '(HOST)'), {
    default: undefined,
    defaultText: '`HOST`',
    help: 'Address to serve the metrics on.',
  }),
  metricsNames: setting('POOLGATE_METRICS_NAMES', list(host), {
    default: [],
    defaultText: 'none',
    help: 'Names with a dot under which the metrics may be asked for, e.g. `auth-1.example.com`. An address, a name without a dot and the host of `BASE_URL` need not be named; every other `Host` is answered 421, so that no page of elsewhere can read them.',
  }),
  slowStatementMs: setting('POOLGATE_SLOW_STATEMENT_MS', wholeNumber(0, 60_000), {
    default: 500,
    help: 'From how many milliseconds on a statement of the database is logged, with its plan and without values. 0 switches it off.',
  }),
  logLevel: setting('LOG_LEVEL', choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    default: 'info',
    help: 'The least important log lines that are written.',
  }),
  logFormat: setting('LOG_FORMAT', choice(['auto', 'json', 'pretty']), {
    default: 'auto',
    help: 'How `poolgate serve` writes its log: `json`, an object a line; `pretty`, a line for people; `auto`, pretty in development and json in production.',
  }),
};
