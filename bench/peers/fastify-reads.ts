import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { fastify } from 'fastify';

/**
 * The least that a Fastify service can do about a session: the indexed reads that ours makes, by the same statements of tables as ours, from a
 * file, and an answer as large as ours. It decrypts, verifies and decides nothing.
 */
const SESSIONS = 50;
/** As long as three tokens are when they are encrypted: 3,363 characters of base64url for the users of the benchmark. */
const CONTENT = 'x'.repeat(3_363);
const DEVICE = {
  device_key: 'd'.repeat(47),
  name: 'n'.repeat(20),
  remembered: true,
  last_ip: '127.0.0.1',
  created_at: '2026-05-07T00:00:00.000Z',
  last_authenticated_at: '2026-05-07T00:00:00.000Z',
};
const EMAIL = 'ada-10@poolgate.test';
const USER = {
  sub: 's'.repeat(36),
  username: 'u'.repeat(36),
  email: EMAIL,
  email_verified: true,
  groups: [],
  attributes: { email: EMAIL, email_verified: 'true' },
};

const TIME = '2026-05-07T00:00:00.000Z';
const HEADERS = {
  'x-poolgate-sub': USER.sub,
  'x-poolgate-username': USER.username,
  'x-poolgate-email': EMAIL,
  'x-poolgate-groups': '',
};

const database = new DatabaseSync('reads.db');
database.exec(`pragma journal_mode = wal;
  create table sessions (
    id text primary key, family_id text not null, pool text not null, sub text not null, origin_jti text, content text not null,
    stays integer not null, created_at integer not null, seen_at integer not null, ends_at integer not null, expires_at integer not null,
    tokens_expire_at integer not null, refreshed_at integer not null, lease_id text, lease_until integer not null
  ) strict;
  create table endings (pool text, subject text, ended_at integer, expires_at integer, primary key (pool, subject)) without rowid;`);
const insert = database.prepare(
  `insert into sessions values (?, hex(randomblob(16)), 'us-east-1_123456789', ?, hex(randomblob(18)), ?, 0, ?, ?, ?, ?, ?, ?, null, 0)`,
);
const NOW = Date.now();
const LATER = NOW + 86_400_000;
database.exec('begin');
for (let index = 0; index < SESSIONS; index += 1) {
  insert.run(hash('sha256', `session-${index}`, 'hex'), USER.sub, CONTENT, NOW, NOW, LATER, LATER, LATER, NOW);
}
database.exec('commit');
const session = database.prepare('select * from sessions where id = ? and expires_at > ?');
const known = database.prepare(
  `select id, family_id, pool, sub, origin_jti, case when refreshed_at = ? then null else content end, stays, created_at, seen_at, ends_at,
     expires_at, tokens_expire_at, refreshed_at,
     (select ended_at from endings where pool = ? and subject = ? and expires_at > ?),
     (select ended_at from endings where pool = ? and subject = ? and expires_at > ?),
     (select ended_at from endings where pool = ? and subject = ? and expires_at > ?)
   from sessions where id = ? and expires_at > ?`,
);
const endings = database.prepare('select * from endings where pool = ? and subject in (?, ?, ?) and expires_at > ?');

function read(cookie: string | undefined): boolean {
  const id = /__Host-poolgate=([^;]+)/.exec(cookie ?? '')?.[1] ?? '';
  const found = session.get(hash('sha256', id, 'hex'), Date.now());
  if (found === undefined) return false;
  return endings.all('pool', `user:${found.sub}`, `gone:${found.sub}`, 'login:1', Date.now()).length === 0;
}

function readKnown(cookie: string | undefined): boolean {
  const id = /__Host-poolgate=([^;]+)/.exec(cookie ?? '')?.[1] ?? '';
  const now = Date.now();
  const [user, gone, login] = [`user:${USER.sub}`, `gone:${USER.sub}`, 'login:1'];
  return (
    known.get(NOW, 'pool', user, now, 'pool', gone, now, 'pool', login, now, hash('sha256', id, 'hex'), now) !==
    undefined
  );
}

const app = fastify();
app.get('/cognito/session', async ({ headers }, reply) => {
  if (!readKnown(headers.cookie)) return reply.code(401).send({});
  return {
    status: 'success',
    return_to: null,
    user: USER,
    csrf_token: 'c'.repeat(43),
    expires_at: TIME,
    authenticated_at: TIME,
    proofs: [{ factor: 'PASSWORD', at: TIME }],
  };
});
app.get('/cognito/forward-auth', async ({ headers }, reply) => {
  if (!readKnown(headers.cookie)) return reply.code(401).send();
  return reply.code(204).headers(HEADERS).send();
});
/** The same two reads, and the list of one device. */
app.get('/device', async ({ headers }, reply) => {
  if (!read(headers.authorization)) return reply.code(401).send({});
  return { devices: [DEVICE], next_cursor: null };
});
app.get('/readyz', async () => ({ status: 'ok' }));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
