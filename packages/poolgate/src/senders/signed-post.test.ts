import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type DnsLookup, type ExchangeOutcome, isSuccess, postSigned, postSignedAndRead } from './signed-post.ts';

const NEVER = new AbortController().signal;
const ANYWHERE = { allows: () => true };
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const postTo = (url: string) => ({ url: new URL(url), secret, id: 'm', body: '{}', at: new Date(0) });

/** Returns the port of a server that always gives this response, until the test ends. */
async function replying(context: TestContext, reply: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    reply(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

test('a post succeeded if the status is a success', () => {
  assert.deepEqual([199, 200, 204, 299, 300].map(isSuccess), [false, true, true, true, false]);
});

test('a status is a response, however long the rest takes', async (context) => {
  const port = await replying(context, (response) => response.writeHead(202).flushHeaders());
  assert.deepEqual(await postSigned(postTo(`http://127.0.0.1:${port}`), NEVER), { kind: 'answered', status: 202 });
});

test('a response is read to its end, or up to a limit', async (context) => {
  const inParts =
    (...parts: readonly string[]) =>
    async (response: ServerResponse) => {
      for (const part of parts) {
        response.write(part);
        for (let turns = 0; turns < 20; turns += 1) await turn();
      }
    };
  const answers: readonly [reply: (response: ServerResponse) => void, read: string][] = [
    [(response) => response.end('123'), '123'],
    [(response) => void inParts('12', '3')(response).then(() => response.end()), '123'],
    [(response) => void inParts('123', '4')(response), '1234'],
    [(response) => void inParts('12345')(response), '12345'],
  ];
  for (const [reply, read] of answers) {
    const port = await replying(context, reply);
    const exchange = await postSignedAndRead(postTo(`http://127.0.0.1:${port}`), NEVER, ANYWHERE, 3);
    assert.ok(exchange.kind === 'answered');
    assert.equal(Buffer.from(exchange.body).toString(), read);
  }
});

test('a response is waited for no longer than ten seconds', async (context) => {
  const waits: number[] = [];
  const controller = new AbortController();
  context.mock.method(AbortSignal, 'timeout', (ms: number) => {
    waits.push(ms);
    return controller.signal;
  });
  const port = await replying(context, () => controller.abort());
  assert.deepEqual(await postSigned(postTo(`http://127.0.0.1:${port}`), NEVER), { kind: 'unanswered' });
  assert.deepEqual(waits, [10_000]);
});

test('a name without an address, or an unknown one, cannot be reached', async () => {
  const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
  const lookups: readonly DnsLookup[] = [
    (_hostname, _options, callback) => callback(null, []),
    (_hostname, _options, callback) => callback(unknown, undefined as never),
  ];
  for (const lookup of lookups) {
    const outcome = await postSigned(postTo('http://nobody.example/'), NEVER, { ...ANYWHERE, lookup });
    assert.deepEqual(outcome, { kind: 'unreachable' });
  }
});

test('a name is reached at its first address, and no other one is tried', async (context) => {
  const isTried = getDefaultAutoSelectFamily();
  context.after(() => setDefaultAutoSelectFamily(isTried));
  setDefaultAutoSelectFamily(false);
  const port = await replying(context, (response) => response.writeHead(204).end());
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const lookup: DnsLookup = (_hostname, _options, callback) => callback(null, addresses);
  const post = (allows: (address: string) => boolean): Promise<ExchangeOutcome> =>
    postSignedAndRead(postTo(`http://hooks.example:${port}/`), NEVER, { allows, lookup }, 0);
  assert.deepEqual(await post(() => true), { kind: 'answered', status: 204, body: new Uint8Array() });
  assert.deepEqual(await post((address) => address === '127.0.0.1'), { kind: 'forbidden' });
});
