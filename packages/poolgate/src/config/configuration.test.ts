import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { readConfiguration } from './configuration.ts';
import { ConfigurationError, formatProblem } from './configuration-error.ts';
import { listEffectiveSettings } from './effective-settings.ts';
import { toFileKey } from './setting.ts';
import type { Environment } from './setting-sources.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';
import { findWeakSettings } from './weak-settings.ts';

const SECRET = 'correct-horse-battery-staple-0123456789';

function listProblems(environment: Environment, options: Readonly<Record<string, unknown>> = {}): readonly string[] {
  try {
    readConfiguration(environment, options);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems.map(formatProblem);
  }
  return [];
}

function configurationFile(context: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-config-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'poolgate.json');
  writeFileSync(path, content);
  return path;
}

test('an empty environment gives the defaults of development', () => {
  const { settings, mode, sources } = readConfiguration({});
  assert.equal(mode, 'development');
  assert.equal(settings.port, 3000);
  assert.equal(settings.host, '127.0.0.1');
  assert.equal(settings.baseUrl, 'http://localhost:3000');
  assert.equal(settings.databaseUrl, 'sqlite:./data/poolgate.db');
  assert.equal(settings.sessionMinutes, 3);
  assert.deepEqual(new Set(Object.values(sources)), new Set(['default']));
});

test('defaults follow the settings from which they are computed', () => {
  const { settings } = readConfiguration({ PORT: '8080', POOLGATE_DATA_DIR: '/var/lib/poolgate' });
  assert.equal(settings.baseUrl, 'http://localhost:8080');
  assert.equal(settings.databaseUrl, 'sqlite:/var/lib/poolgate/poolgate.db');
});

test('every problem is reported at once, with name, fault and allowed values', () => {
  const problems = listProblems({
    PORT: '70000',
    LOG_LEVEL: 'loud',
    IDP_SRP_ASSISTED: 'yes',
    IDP_SESSION_MINUTES: '2.5',
    POOLGATE_TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/33',
    POOLGATE_CORS_ORIGINS: 'https://a.example/path',
    POOLGATE_API_PREFIX: 'api/',
    DATABASE_URL: 'mysql://x',
  });
  assert.deepEqual(
    problems.map((line) => line.split(':')[0]),
    [
      'PORT',
      'DATABASE_URL',
      'LOG_LEVEL',
      'IDP_SRP_ASSISTED',
      'IDP_SESSION_MINUTES',
      'POOLGATE_API_PREFIX',
      'POOLGATE_TRUSTED_PROXIES',
      'POOLGATE_CORS_ORIGINS',
    ],
  );
  assert.equal(problems[0], 'PORT: "70000" is out of range; allowed: a whole number from 0 to 65535');
  assert.equal(problems[3], 'IDP_SRP_ASSISTED: "yes" is neither true nor false; allowed: true or false');
  assert.match(problems[6] ?? '', /item 2 is neither an IP address nor a CIDR range/);
  for (const line of problems) assert.match(line, /^[^\n]+; allowed: [^\n]+$/);
});

test('options override the environment, the environment the file, and the file the defaults', (context) => {
  const path = configurationFile(
    context,
    JSON.stringify({
      port: 4001,
      log_level: 'warn',
      wire: false,
      session_minutes: 5,
      cors_origins: ['https://a.example'],
    }),
  );
  const { settings, sources } = readConfiguration(
    { POOLGATE_CONFIG: path, PORT: '4002', LOG_LEVEL: 'error' },
    { port: 4003 },
  );
  assert.deepEqual(
    [settings.port, settings.logLevel, settings.wire, settings.sessionMinutes, settings.host],
    [4003, 'error', false, 5, '127.0.0.1'],
  );
  assert.deepEqual(settings.corsOrigins, ['https://a.example']);
  assert.deepEqual(
    [sources.port, sources.logLevel, sources.wire, sources.host],
    ['option', 'environment', 'file', 'default'],
  );
});

test('leaked passwords are looked up nowhere, at Have I Been Pwned, or at a trusted API', () => {
  const of = (POOLGATE_BREACHED_PASSWORDS: string) => readConfiguration({ POOLGATE_BREACHED_PASSWORDS }).settings;
  assert.equal(readConfiguration({}).settings.breachedPasswords, 'off');
  for (const value of ['off', 'hibp', 'https://ranges.example.com/range', 'http://127.0.0.1:8080']) {
    assert.equal(of(value).breachedPasswords, value);
  }
  for (const value of [
    'on',
    'http://ranges.example.com',
    'https://user:word@ranges.example.com',
    'https://ranges.example.com/?key=1',
    'ftp://ranges.example.com',
  ]) {
    const [problem = ''] = listProblems({ POOLGATE_BREACHED_PASSWORDS: value });
    assert.match(problem, /is not off, hibp or a valid URL/, value);
  }
});

test('the issuer is a URL without a password, because tokens contain it', () => {
  assert.equal(readConfiguration({ IDP_ISSUER: 'https://a.example/pool' }).settings.issuer, 'https://a.example/pool');
  for (const value of ['https://user:word@a.example', 'https://user@a.example', 'https://a.example/', 'urn:pool']) {
    const [problem = ''] = listProblems({ IDP_ISSUER: value });
    assert.match(problem, /^IDP_ISSUER: .*is not a valid URL/, value);
    assert.doesNotMatch(problem, /user/);
  }
});

test('an empty variable counts as unset', () => {
  assert.equal(readConfiguration({ PORT: '', IDP_ISSUER: '' }).settings.port, 3000);
});

test('unknown names are problems with a suggestion, in the environment and in the file', (context) => {
  const path = configurationFile(context, JSON.stringify({ sesion_minutes: 3 }));
  assert.deepEqual(
    listProblems({ POOLGATE_CONFIG: path, IDP_SRP_ASISTED: 'false', POOLGATE_ZZZZZZZZ: '1', OTHER: 'x' }),
    [
      'IDP_SRP_ASISTED: is not a configuration key; allowed: did you mean IDP_SRP_ASSISTED?',
      'POOLGATE_ZZZZZZZZ: is not a configuration key; allowed: the keys of docs/reference/configuration.md',
      'sesion_minutes: is not a configuration key; allowed: did you mean session_minutes?',
    ],
  );
});

test('the variables of programs around a service are not settings, and do not stop a start', () => {
  assert.deepEqual(listProblems({ POOLGATE_ADMIN_KEY: 'pg_a_b', POOLGATE_TEST_PASSWORD: 'x' }), []);
});

test('a missing file, invalid JSON or a non-object is a problem that does not quote it', (context) => {
  assert.match(listProblems({ POOLGATE_CONFIG: '/nowhere/poolgate.json' })[0] ?? '', /cannot be read \(ENOENT\)/);
  const broken = configurationFile(context, `{"secret": "${SECRET}`);
  assert.match(listProblems({ POOLGATE_CONFIG: broken })[0] ?? '', /is invalid JSON at line 1, column 12/);
  assert.ok(!listProblems({ POOLGATE_CONFIG: broken }).join().includes(SECRET));
  const array = configurationFile(context, '[]');
  assert.match(listProblems({ POOLGATE_CONFIG: array })[0] ?? '', /does not contain a JSON object/);
});

test('NODE_ENV, a reachable HOST or a public BASE_URL means production, which requires secrets', () => {
  const causes: readonly Environment[] = [
    { NODE_ENV: 'production' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: 'login.example.com' },
    { BASE_URL: 'https://login.example.com' },
    { BASE_URL: 'http://127.0.0.1.example.com' },
  ];
  for (const cause of causes) {
    assert.match(listProblems(cause).join('\n'), /^POOLGATE_SECRET: is missing. It is required because /m);
    const whole = { BASE_URL: 'https://login.example.com', ...cause, POOLGATE_SECRET: SECRET };
    assert.equal(readConfiguration(whole).mode, 'production');
  }
  for (const HOST of ['localhost', '127.0.0.2', '::1']) assert.equal(readConfiguration({ HOST }).mode, 'development');
  assert.equal(readConfiguration({ BASE_URL: 'http://[::1]:3000' }).mode, 'development');
});

test('production on a reachable address requires the name by which others reach it', () => {
  for (const HOST of ['0.0.0.0', '::', 'login.example.com']) {
    const problems = listProblems({ HOST, POOLGATE_SECRET: SECRET });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^BASE_URL: is missing. It is required because HOST is not a loopback address/);
    assert.match(problems[0] ?? '', /POOLGATE_DEVELOPMENT=true/);
  }
  assert.deepEqual(listProblems({ NODE_ENV: 'production', POOLGATE_SECRET: SECRET }), []);
});

test('POOLGATE_DEVELOPMENT keeps a reachable address in development, but never a public one', () => {
  const development = { POOLGATE_DEVELOPMENT: 'true' };
  for (const [environment, isExposed] of [
    [{}, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000' }, true],
    [{ HOST: '::', BASE_URL: 'http://poolgate:3000' }, true],
    [{ BASE_URL: 'http://192.168.1.10:3000' }, true],
    [{ BASE_URL: 'http://[fd00::1]:3000' }, true],
    [{ BASE_URL: 'https://poolgate.test' }, true],
  ] as const) {
    const { mode, ...read } = readConfiguration({ ...environment, ...development });
    assert.deepEqual([mode, read.isExposed], ['development', isExposed], JSON.stringify(environment));
  }
  for (const [environment, problem] of [
    [{ BASE_URL: 'https://login.example.com' }, /and BASE_URL is a public address/],
    [{ BASE_URL: 'http://203.0.113.7', HOST: '0.0.0.0' }, /and BASE_URL is a public address/],
    [{ BASE_URL: 'http://[2001:db8::1]' }, /and BASE_URL is a public address/],
    [{ BASE_URL: 'http://172.32.0.1' }, /and BASE_URL is a public address/],
    [{ BASE_URL: 'http://poolgate.test.example.com' }, /and BASE_URL is a public address/],
    [{ NODE_ENV: 'production' }, /and NODE_ENV is production/],
  ] as const) {
    const problems = listProblems({ ...environment, ...development });
    assert.match(problems.find((line) => line.startsWith('POOLGATE_DEVELOPMENT: is true')) ?? '', problem);
  }
});

test('a secret that is not random is refused for encryption, and can be retired', () => {
  const uniform = ['a'.repeat(40), 'abcdefghij'.repeat(4), 'ab'.repeat(20), '00000000000000000000000000000001'];
  for (const secret of uniform) {
    assert.match(listProblems({ POOLGATE_SECRET: secret })[0] ?? '', /not random enough/, secret);
    assert.ok(!listProblems({ POOLGATE_SECRET: secret }).join().includes(secret));
    const retired = readConfiguration({ POOLGATE_SECRET: `${SECRET},${secret}` });
    assert.match(findWeakSettings(retired)[0]?.finding ?? '', /^An older secret/);
    assert.match(
      listProblems({ POOLGATE_BOOTSTRAP_ADMIN_KEY: `ops:${secret}` })[0] ?? '',
      /is not an admin key/,
      secret,
    );
  }
  for (const drawn of [randomBytes(32).toString('base64'), randomBytes(16).toString('hex'), randomUUID()]) {
    assert.deepEqual(listProblems({ POOLGATE_SECRET: drawn }), []);
  }
});

test('every address must not be a trusted proxy', () => {
  // The last ones contain every IPv4 address, in its IPv6 form.
  const every = [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/0',
    '0.0.0.0/00',
    '::ffff:0:0/96',
    '::ffff:10.0.0.1/96',
    '::/80',
    '::/1',
  ];
  for (const range of every) {
    assert.match(
      listProblems({ POOLGATE_TRUSTED_PROXIES: `10.0.0.0/8,${range}` })[0] ?? '',
      /item 2 contains every address/,
    );
  }
  for (const range of ['::ffff:10.0.0.0/104', '::1', '::/96', 'fd00::/8', 'fd00::/96', '10.0.0.0/8']) {
    assert.deepEqual(listProblems({ POOLGATE_TRUSTED_PROXIES: range }), [], range);
  }
});

test('settings that protect less than they could are reported, and no others', () => {
  const of = (environment: Environment) =>
    findWeakSettings(readConfiguration({ POOLGATE_SECRET: SECRET, ...environment })).map(({ finding }) => finding);
  for (const [environment, told] of [
    [{ BASE_URL: 'http://login.example.com' }, /BASE_URL is http/],
    [{ POOLGATE_LIMIT_READS: '0' }, /POOLGATE_LIMIT_READS is 0/],
    [{ POOLGATE_LIMIT_LOGIN_STEPS: '0' }, /POOLGATE_LIMIT_LOGIN_STEPS is 0/],
    [{ POOLGATE_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }, /a very wide range/],
    [{ POOLGATE_TRUSTED_PROXIES: '::ffff:0:0/97,::ffff:128.0.0.0/97' }, /a very wide range/],
    [{ POOLGATE_TRUSTED_PROXIES: '8000::/1' }, /a very wide range/],
    [{ POOLGATE_WEBHOOK_PRIVATE: 'true' }, /POOLGATE_WEBHOOK_PRIVATE is true/],
    [{ POOLGATE_DEVELOPMENT: 'true', HOST: '0.0.0.0' }, /^POOLGATE_DEVELOPMENT is true and others can reach/],
    ...[
      'postgres://a:b@db.example/x',
      'postgres://a:b@10.0.0.5/x?sslmode=prefer',
      'postgres://db/x?sslmode=no-verify',
    ].map((DATABASE_URL) => [{ DATABASE_URL }, /remote PostgreSQL server without verified TLS/] as const),
  ] as const) {
    const findings = of(environment);
    assert.equal(findings.length, 1, JSON.stringify(environment));
    assert.match(findings[0] ?? '', told);
    assert.ok(!findings.join().includes('a:b'));
  }
  for (const environment of [
    {},
    { BASE_URL: 'https://login.example.com' },
    { BASE_URL: 'http://localhost:8080', POOLGATE_TRUSTED_PROXIES: '10.0.0.0/8,fd00::/16' },
    { DATABASE_URL: 'postgres://a:b@localhost/x' },
    { DATABASE_URL: 'postgres://a:b@127.0.0.1:5433/x' },
    { DATABASE_URL: 'postgres:///x?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgres://a:b@db.example/x?sslmode=verify-full' },
    { DATABASE_URL: 'postgres://a:b@db.example/x?sslmode=require' },
  ]) {
    assert.deepEqual(of(environment), [], JSON.stringify(environment));
  }
});

test('production refuses a secret that a development start created', () => {
  const problems = listProblems({ NODE_ENV: 'production', POOLGATE_SECRET: `${SECRET},development_${SECRET}` });
  assert.match(problems[0] ?? '', /contains a secret that was generated in development/);
});

test('several secrets are used in order; short or repeated ones are refused', () => {
  assert.deepEqual(readConfiguration({ POOLGATE_SECRET: `${SECRET}1, ${SECRET}2` }).settings.secrets, [
    `${SECRET}1`,
    `${SECRET}2`,
  ]);
  assert.match(listProblems({ POOLGATE_SECRET: `${SECRET},short` })[0] ?? '', /item 2 is shorter than 32 characters/);
  assert.match(listProblems({ POOLGATE_SECRET: `${SECRET},${SECRET}` })[0] ?? '', /contains a value twice/);
});

test('secrets appear neither in the effective values nor in problems', () => {
  const environment = {
    POOLGATE_SECRET: SECRET,
    POOLGATE_BOOTSTRAP_ADMIN_KEY: `ops:${SECRET}`,
    DATABASE_URL: `postgres://poolgate:${SECRET}@db.example/poolgate?sslpassword=${SECRET}`,
  };
  const shown = JSON.stringify(listEffectiveSettings(readConfiguration(environment)));
  assert.ok(!shown.includes(SECRET));
  assert.match(shown, /db\.example/);
  const wrong = {
    POOLGATE_SECRET: 'planted-1',
    POOLGATE_BOOTSTRAP_ADMIN_KEY: 'ops:planted-2',
    DATABASE_URL: 'mysql://root:planted-3@db/x',
  };
  const problems = listProblems(wrong);
  assert.equal(problems.length, 3);
  assert.ok(!problems.join().includes('planted'));
});

test('a URL that is refused for a possible secret is not repeated', () => {
  for (const url of [
    'https://planted:planted@host.example',
    'https://planted@host.example',
    'https:planted:planted@host.example:x',
    'https://host.example/?key=planted',
    'https://host.example/#planted',
  ]) {
    const environment = {
      BASE_URL: url,
      IDP_ENDPOINT: url,
      IDP_JWKS_URL: url,
      IDP_ORIGINS: url,
      POOLGATE_BREACHED_PASSWORDS: `${url} `,
      POOLGATE_CORS_ORIGINS: url,
    };
    const problems = listProblems(environment);
    for (const name of Object.keys(environment))
      assert.ok(
        problems.some((line) => line.startsWith(`${name}: the value`)),
        name,
      );
    assert.ok(!problems.join().includes('planted'), problems.join('\n'));
  }
  assert.match(listProblems({ BASE_URL: 'ftp://host.example' })[0] ?? '', /^BASE_URL: "ftp:\/\/host\.example" is not/);
});

test('names are unique in the environment and in the file', () => {
  const names = SETTING_NAMES.map((name) => SETTINGS[name].env);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(names.map(toFileKey)).size, names.length);
  assert.ok(names.length >= 30);
});

test('every default is a value that its own row accepts', () => {
  const { settings } = readConfiguration({});
  for (const name of SETTING_NAMES) {
    const value = settings[name];
    if (value !== undefined) assert.ok(SETTINGS[name].kind.read(value).ok, name);
  }
});

test('variables that resemble a setting without a prefix are named, unless that setting is given', () => {
  const listMisspelled = (environment: Record<string, string>, options = {}) =>
    readConfiguration(environment, options).misspelledVariables.map(({ name, meant }) => `${name} ${meant}`);
  const misspelled = {
    DATBASE_URL: 'DATABASE_URL',
    DATABASE_URI: 'DATABASE_URL',
    DATABSAE_URL: 'DATABASE_URL',
    BASEURL: 'BASE_URL',
    PROT: 'PORT',
    HOSTS: 'HOST',
    LOGLEVEL: 'LOG_LEVEL',
    NODE_EVN: 'NODE_ENV',
    log_level: 'LOG_LEVEL',
  };
  for (const [name, meant] of Object.entries(misspelled))
    assert.deepEqual(listMisspelled({ [name]: 'x' }), [`${name} ${meant}`]);
  const others = { PATH: 'x', HOME: 'x', HOSTNAME: 'x', DATABASE_HOST: 'x', NODE_PATH: 'x', TZ: 'x', DATBASE_URL: '' };
  assert.deepEqual(listMisspelled(others), []);
  const url = 'sqlite::memory:';
  assert.deepEqual(listMisspelled({ DATABASE_URI: 'x', DATABASE_URL: url }), []);
  assert.deepEqual(listMisspelled({ DATABASE_URI: 'x' }, { databaseUrl: url }), []);
});

test('the console cannot have the host of the service, which is localhost unless BASE_URL says otherwise', () => {
  const read = (port: string, host: string) =>
    readConfiguration({ PORT: port, POOLGATE_CONSOLE_URL: `http://${host}:4000` });
  for (const port of ['3000', '0']) {
    assert.throws(() => read(port, 'localhost'), /POOLGATE_CONSOLE_URL: has the same host as BASE_URL/);
    assert.equal(read(port, 'console.localhost').settings.consoleUrl, 'http://console.localhost:4000');
  }
});
