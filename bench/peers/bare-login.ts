import { generateKeyPairSync, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { fastify } from 'fastify';
import { prepareThreeExponentiations } from '../scenarios/srp-server.ts';

/**
 * The minimum of a durable SRP login over HTTP: two requests, the arithmetic and the signatures of the floor, and one row in a file before
 * the response, many rows per commit. It checks and stores nothing else.
 */
const exponentiations = prepareThreeExponentiations();
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const payload = Buffer.alloc(800, 'x');
const createToken = () => sign('sha256', payload, privateKey).toString('base64url');

const database = new DatabaseSync('bare.sqlite');
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec('create table logins (id integer primary key, content text)');
const insert = database.prepare('insert into logins (content) values (?)');
let waiting: { readonly content: string; readonly done: () => void }[] = [];

function commitWaiting(): void {
  const batch = waiting;
  waiting = [];
  database.exec('begin immediate');
  for (const { content } of batch) insert.run(content);
  database.exec('commit');
  for (const { done } of batch) done();
}

function write(content: string): Promise<void> {
  return new Promise((done) => {
    if (waiting.length === 0) setImmediate(commitWaiting);
    waiting.push({ content, done });
  });
}

const app = fastify();
const body = { schema: { body: { type: 'object' } } };
const challenge = 'x'.repeat(2500);
app.post('/login/srp', body, async () => ({ challenge }));
app.post('/login/auth-challenge', body, async () => {
  exponentiations();
  const tokens = { access_token: createToken(), id_token: createToken(), payload: 'x'.repeat(2200) };
  await write('x'.repeat(600));
  return tokens;
});
app.get('/readyz', async () => ({ status: 'ok' }));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
