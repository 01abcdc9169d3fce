import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type BreachLookupOptions, createBreachLookups } from './breach-lookups.ts';

/** The SHA-1 of a widely known password, in two parts. @see https://haveibeenpwned.com/API/v3#SearchingPwnedPasswordsByRange */
const PASSWORD = { text: 'P@ssw0rd', prefix: '21BD1', rest: '2DC183F740EE76F27B78EB39C8AD972A757' };

const OTHER = '0'.repeat(35);

interface RangeApi {
  readonly url: string;
  readonly asked: IncomingMessage[];
}

async function rangeApi(context: TestContext, answer: (response: ServerResponse) => void): Promise<RangeApi> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`, asked };
}

function checking(api: string, options: Partial<BreachLookupOptions> = {}) {
  const lines: string[] = [];
  const lookups = createBreachLookups({
    api,
    clock: { now: () => 0 },
    // No separate time limit, so that a busy machine fails no test.
    limit: () => new AbortController().signal,
    log: (level, message, facts) => void lines.push(JSON.stringify({ level, message, ...facts })),
    ...options,
  });
  return { ...lookups, lines };
}

test('a leaked password is found, and only five digits of its digest leave the service', async (context) => {
  const { url, asked } = await rangeApi(context, (response) =>
    response.end(`${OTHER}:7\r\n${PASSWORD.rest}:10434004\r\n`),
  );
  const { isBreached, lines } = checking(url);
  assert.equal(await isBreached(PASSWORD.text), true);
  assert.equal(await isBreached('another that begins elsewhere'), false);
  const [first] = asked;
  assert.ok(first);
  assert.deepEqual(
    [first.method, first.url, first.headers['add-padding']],
    ['GET', `/range/${PASSWORD.prefix}`, 'true'],
  );
  assert.deepEqual(lines, []);
});

test('a row that only pads the response is no leak', async (context) => {
  const { url } = await rangeApi(context, (response) => response.end(`${PASSWORD.rest}:0\r\n${OTHER}:1`));
  assert.equal(await checking(url).isBreached(PASSWORD.text), false);
});

test('a range is requested once in ten minutes', async (context) => {
  const { url, asked } = await rangeApi(context, (response) => response.end(`${PASSWORD.rest}:2`));
  let nowMs = 0;
  const { isBreached } = checking(`${url}/`, { clock: { now: () => nowMs } });
  for (const [atMs, expected] of [
    [0, 1],
    [599_999, 1],
    [600_000, 2],
  ] as const) {
    nowMs = atMs;
    assert.equal(await isBreached(PASSWORD.text), true);
    assert.equal(asked.length, expected);
  }
});

test('only some ranges are cached', async (context) => {
  const { url, asked } = await rangeApi(context, (response) => response.end(''));
  const { isBreached } = checking(url);
  await isBreached(PASSWORD.text);
  for (let index = 0; index < 70; index += 1) await isBreached(`password ${index}`);
  const before = asked.length;
  await isBreached(PASSWORD.text);
  assert.equal(asked.length, before + 1);
});

const FAILURES: readonly (readonly [string, (response: ServerResponse) => void, RegExp])[] = [
  ['an error', (response) => void response.writeHead(503).end(), /status_503/],
  ['a refusal', (response) => void response.writeHead(429).end(), /status_429/],
  ['a redirect', (response) => void response.writeHead(302, { location: '/elsewhere' }).end(), /typeerror|redirect/],
  ['a broken answer', (response) => void response.destroy(), /und_err_socket|econnreset/],
];

for (const [name, answer, word] of FAILURES) {
  test(`${name} of the API blocks no one, and is logged without the password`, async (context) => {
    const { url, asked } = await rangeApi(context, answer);
    const { isBreached, lines } = checking(url);
    assert.equal(await isBreached(PASSWORD.text), false);
    assert.equal(asked.length, 1);
    assert.match(lines.join(), word);
    assert.match(lines.join(), /"level":"warn"/);
    for (const secret of [PASSWORD.text, PASSWORD.prefix, PASSWORD.rest]) {
      assert.ok(!lines.join().includes(secret), secret);
    }
  });
}

test('a late response of the API blocks no one, and is not cached', async (context) => {
  const limits: AbortController[] = [];
  const { url, asked } = await rangeApi(context, () => limits.at(-1)?.abort(new DOMException('late', 'TimeoutError')));
  const { isBreached, lines } = checking(url, {
    limit: () => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    },
  });
  assert.equal(await isBreached(PASSWORD.text), false);
  assert.equal(await isBreached(PASSWORD.text), false);
  assert.equal(asked.length, 2);
  assert.match(lines.join(), /timeouterror/);
});

test('a client that does not send its password gets the suffixes of a range', async (context) => {
  const { url } = await rangeApi(context, (response) =>
    response.end(`${OTHER}:0\r\n${PASSWORD.rest.toLowerCase()}:7\r\n`),
  );
  const { leakedRange } = checking(url);
  assert.deepEqual(await leakedRange(PASSWORD.prefix, []), [PASSWORD.rest]);
});

test('no client learns which ranges were looked up for others: each of its requests is fetched, and all are refused alike', async (context) => {
  const { url, asked } = await rangeApi(context, (response) => response.end(`${PASSWORD.rest}:7`));
  const { isBreached, leakedRange } = checking(url);
  const stranger = [{ key: 'stranger', shares: 1 }];
  assert.equal(await isBreached(PASSWORD.text), true);
  assert.deepEqual(await leakedRange('00000', [{ key: 'user', shares: 1 }]), [PASSWORD.rest]);
  for (let times = 0; times < 5; times += 1) {
    assert.deepEqual(await leakedRange(PASSWORD.prefix, stranger), [PASSWORD.rest]);
    assert.deepEqual(await leakedRange('00000', stranger), [PASSWORD.rest]);
  }
  assert.equal(asked.length, 12);
  for (const prefix of [PASSWORD.prefix, '00000', '00001']) assert.deepEqual(await leakedRange(prefix, stranger), []);
  assert.equal(asked.length, 12);
});

test('clients cause 10 fetches a minute for each share of a network and 120 in total', async (context) => {
  const { url, asked } = await rangeApi(context, (response) => response.end(`${PASSWORD.rest}:7`));
  let nowMs = 0;
  const { leakedRange, lines } = checking(url, { clock: { now: () => nowMs } });
  const range = (at: number) => at.toString(16).toUpperCase().padStart(5, '0');
  const networks = (key: string) => [
    { key, shares: 1 },
    { key: `wide ${key.slice(0, 3)}`, shares: 2 },
  ];
  const ask = (from: number, times: number, key: string) =>
    Promise.all(Array.from({ length: times }, (_, at) => leakedRange(range(from + at), networks(key))));
  const first = await ask(0, 12, 'one');
  assert.deepEqual([asked.length, first.filter(({ length }) => length === 0).length, lines.length], [10, 2, 1]);
  assert.match(lines[0] ?? '', /too_many_lookups/);
  assert.deepEqual(await leakedRange(range(9), networks('one')), [], 'one that was fetched before');
  await ask(50, 8, 'one more');
  await ask(60, 8, 'one again');
  assert.equal(asked.length, 20, 'what one network and its neighbors share');
  for (let at = 1; at < 14; at += 1) await ask(100 * at, 10, `${at} on its own`);
  assert.equal(asked.length, 120);
  nowMs = 60_000;
  assert.deepEqual(await leakedRange(range(5_000), networks('one')), [PASSWORD.rest]);
  assert.deepEqual([asked.length, lines.length], [121, 1]);
});
