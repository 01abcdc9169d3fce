import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { fastify } from 'fastify';

/**
 * The minimum that a Fastify service does for a session: Poolgate's indexed reads, by the same statements on the same tables in a file, and
 * a response of the same size. It decrypts, verifies and decides nothing.
 */
const SESSIONS = 50;
/** The length of three encrypted tokens: 3,363 characters of base64url for the users of the benchmark. */
const CONTENT = 'x'.repeat(3_363);
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
  create table endings (pool text, subject text, ended_at integer, expires_at integer, primary key (pool, subject)) without rowid;
  create table logins (
    id text primary key, pool text, client text, username text, auth_time integer, refresh_expires_at integer, generation integer,
    rotated_at integer, revoked_at integer, device_key text, source_address text, scope text, audience text, created_at integer
  ) without rowid;
  create table users (
    pool text, username text, sub text, status text, enabled integer, attributes text, mfa_methods text, preferred_mfa text,
    created_at integer, modified_at integer, primary key (pool, username)
  ) without rowid;
  create table signing_keys (pool text, kid text, purpose text, retired_at integer, private_key text, primary key (pool, kid)) without rowid;
  insert into signing_keys values ('pool', 'key', 'access', null, 'x');
  create table groups (pool text, name text, precedence integer, role_arn text, primary key (pool, name)) without rowid;
  create table memberships (pool text, username text, group_name text, primary key (pool, username, group_name)) without rowid;
  create table devices (
    pool text, username text, created_at integer, device_key text, group_key text, name text, salt text, verifier text, remembered integer,
    last_ip text, modified_at integer, last_authenticated_at integer, primary key (pool, username, created_at, device_key)
  ) without rowid;`);
const insert = database.prepare(
  `insert into sessions values (?, hex(randomblob(16)), 'us-east-1_123456789', ?, hex(randomblob(18)), ?, 0, ?, ?, ?, ?, ?, ?, null, 0)`,
);
const NOW = Date.now();
const LATER = NOW + 86_400_000;
const addLogin = database.prepare(
  `insert into logins values (?, 'pool', 'client', ?, ?, ?, 0, ?, null, null, '127.0.0.1', null, null, ?)`,
);
const addUser = database.prepare(
  `insert into users values ('pool', ?, ?, 'CONFIRMED', 1, ?, '[]', null, ${NOW}, ${NOW})`,
);
database.exec('begin');
for (let index = 0; index < SESSIONS; index += 1) {
  insert.run(hash('sha256', `session-${index}`, 'hex'), USER.sub, CONTENT, NOW, NOW, LATER, LATER, LATER, NOW);
  const username = findUsername(`session-${index}`);
  addLogin.run(`session-${index}`, username, NOW, LATER, NOW, NOW);
  addUser.run(username, username, JSON.stringify(USER.attributes));
}
database.exec('commit');
const tokenFacts = database.prepare(
  `select users.*, logins.*, signing_keys.kid, signing_keys.retired_at, case when exists
     (select 1 from memberships where memberships.pool = users.pool and memberships.username = users.username)
     then (select json_group_array(json_object('name', groups.name, 'precedence', groups.precedence, 'roleArn', groups.role_arn))
       from memberships join groups on groups.pool = memberships.pool and groups.name = memberships.group_name
       where memberships.pool = users.pool and memberships.username = users.username) end as group_list,
     (select ended_at from endings where endings.pool = 'pool' and subject = ? and expires_at > ?) as revoked0,
     (select ended_at from endings where endings.pool = 'pool' and subject = ? and expires_at > ?) as revoked1,
     (select ended_at from endings where endings.pool = 'pool' and subject = ? and expires_at > ?) as revoked2
   from (select 1) left join logins on logins.id = ? left join users on users.pool = 'pool' and users.username = ?
     left join signing_keys on signing_keys.pool = 'pool' and signing_keys.kid = 'key' and signing_keys.purpose = 'access'`,
);
const devices = database.prepare(
  `select * from devices where pool = 'pool' and username = ? and (created_at, device_key) > (0, '') order by created_at, device_key limit 11`,
);
const known = database.prepare(
  `select id, family_id, pool, sub, origin_jti, case when refreshed_at = ? then null else content end, stays, created_at, seen_at, ends_at,
     expires_at, tokens_expire_at, refreshed_at,
     (select ended_at from endings where pool = ? and subject = ? and expires_at > ?),
     (select ended_at from endings where pool = ? and subject = ? and expires_at > ?),
     (select ended_at from endings where pool = ? and subject = ? and expires_at > ?)
   from sessions where id = ? and expires_at > ?`,
);

function findUsername(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 36);
}

/** One statement reads the revocations, the login, the user and the key of the token; another reads the devices. */
function canListDevices(bearer: string | undefined): boolean {
  const id = /__Host-poolgate=([^;]+)/.exec(bearer ?? '')?.[1] ?? '';
  const username = findUsername(id);
  const now = Date.now();
  const facts = tokenFacts.get(`user:${username}`, now, `gone:${username}`, now, `login:${id}`, now, id, username);
  if (facts?.revoked0 !== null || facts.revoked1 !== null || facts.revoked2 !== null || facts.sub === null)
    return false;
  return devices.all(username).length === 0;
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
app.get('/device', async ({ headers }, reply) => {
  if (!canListDevices(headers.authorization)) return reply.code(401).send({});
  return { status: 'success', message: 'The devices.', data: {}, devices: [], next_cursor: null };
});
app.get('/readyz', async () => ({ status: 'ok' }));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
