import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  createEventWebhook,
  createLogoutTokenSender,
  createWebhookCheck,
  type EventWebhookOptions,
} from './event-webhook.ts';
import { type DnsLookup, postSigned } from './signed-post.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

// The verifying library uses the machine's clock.
const clock = { now: Date.now };

const NEVER = new AbortController().signal;

const BODY = JSON.stringify({ type: 'user.created', timestamp: '2026-01-01T00:00:00.000Z', data: { id: 'e1' } });

interface Receiver {
  readonly port: number;
  /** Bodies with a valid signature, by their ID. */
  readonly taken: [string, string][];
  /** The number of connections, whatever was sent over them. */
  connections(): number;
}

async function receiver(
  context: TestContext,
  status: number,
  {
    host = '127.0.0.1',
    port: wanted = 0,
    headers = {},
  }: { host?: string; port?: number; headers?: Record<string, string> } = {},
): Promise<Receiver> {
  const taken: [string, string][] = [];
  let connections = 0;
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    new Webhook(SECRET).verify(body, request.headers as Record<string, string>);
    taken.push([String(request.headers['webhook-id']), body]);
    response.writeHead(status, headers).end('endless'.repeat(100));
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(wanted, host);
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, taken, connections: () => connections };
}

/** Two at the same port of two addresses. If another program has the second one, another port is drawn. */
async function twoReceivers(context: TestContext): Promise<readonly [Receiver, Receiver]> {
  const first = await receiver(context, 204, { host: '127.0.0.2' });
  try {
    return [first, await receiver(context, 204, { host: '127.0.0.1', port: first.port })];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return twoReceivers(context);
  }
}

function poster(options: Partial<EventWebhookOptions> = {}) {
  const post = createEventWebhook({ clock, allowPrivate: false, ...options });
  return (url: string, signal = NEVER) => post({ url, secret: SECRET, id: 'e1', body: BODY }, signal);
}

const inward = { allowPrivate: true } as const;

test('the address of a webhook is checked when it is created', async () => {
  const found: Readonly<Record<string, readonly string[]>> = {
    'private.test': ['10.0.0.1'],
    'mixed.test': ['8.8.8.8', '127.0.0.1'],
    'good.test': ['8.8.8.8', '2606:4700::1'],
  };
  const lookup: DnsLookup = (name, _, callback) => {
    const addresses = found[name]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (name === 'silent.test') return;
    if (addresses === undefined) callback(new Error('ENOTFOUND'), undefined as never);
    else callback(null, addresses);
  };
  const waits: [number, () => void][] = [];
  const timer = {
    after(ms: number, run: () => void) {
      waits.push([ms, run]);
      return () => {};
    },
  };
  const refuses = createWebhookCheck({ allowPrivate: false, lookup, timer });
  const rows: Readonly<Record<string, boolean>> = {
    'https://private.test/': true,
    'https://mixed.test/': true,
    'https://good.test/': false,
    'https://unknown.test/': false,
    'https://8.8.8.8/': false,
    'https://169.254.169.254/': true,
    'https://[::ffff:10.0.0.1]/': true,
  };
  for (const [url, wanted] of Object.entries(rows)) assert.equal(await refuses(url), wanted, url);
  const silent = refuses('https://silent.test/');
  const [ms, giveUp] = waits.at(-1) ?? assert.fail('nothing ends the wait');
  assert.equal(ms, 3_000);
  giveUp();
  assert.equal(await silent, false);
  assert.equal(await createWebhookCheck({ allowPrivate: true, lookup, timer })('https://10.0.0.1/'), false);
});

test('an event is posted with its ID and body, with a signature that the receiver can verify', async (context) => {
  const { port, taken } = await receiver(context, 204);
  assert.deepEqual(await poster(inward)(`http://127.0.0.1:${port}/in`), { ok: true });
  assert.deepEqual(taken, [['e1', BODY]]);
});

test('a refusal is retried, except by a receiver that says it is gone', async (context) => {
  for (const [status, mayRetry] of [
    [400, true],
    [404, true],
    [410, false],
    [429, true],
    [500, true],
  ] as const) {
    const { port } = await receiver(context, status);
    assert.deepEqual(await poster(inward)(`http://127.0.0.1:${port}`), {
      ok: false,
      failure: `webhook_${status}`,
      mayRetry,
    });
  }
});

test('a redirect is a failure, and is not followed', async (context) => {
  const elsewhere = await receiver(context, 204);
  const headers = { location: `http://127.0.0.1:${elsewhere.port}/` };
  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await receiver(context, status, { headers });
    const outcome = await poster(inward)(`http://127.0.0.1:${port}`);
    assert.deepEqual(outcome, { ok: false, failure: `webhook_${status}`, mayRetry: true });
  }
  assert.equal(elsewhere.connections(), 0);
});

test('a refused connection and a late response are retried', async (context) => {
  const closed = createServer();
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const nobody = await poster(inward)(`http://127.0.0.1:${port}`);
  assert.deepEqual(nobody, { ok: false, failure: 'webhook_unreachable', mayRetry: true });
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  context.after(() => silent.closeAllConnections());
  context.after(() => silent.close());
  const abort = new AbortController();
  silent.once('request', () => abort.abort());
  const posted = await poster(inward)(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, abort.signal);
  assert.deepEqual(posted, { ok: false, failure: 'webhook_no_answer', mayRetry: true });
});

const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '169.254.169.254',
  '[fd00:ec2::254]',
];

test('a logout token is posted as a form, with the same limits as events', async (context) => {
  const posted: [string | undefined, string][] = [];
  const server = createServer(async (request, response) => {
    posted.push([request.headers['content-type'], await text(request)]);
    response.writeHead(posted.length === 1 ? 200 : 400).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const logoutToken = 'a.b-c_d.e';
  const send = (url: string, allowPrivate: boolean) =>
    createLogoutTokenSender({ allowPrivate })({ url, logoutToken }, NEVER);
  const url = `http://127.0.0.1:${port}/logout?tenant=1`;
  assert.deepEqual(await send(url, true), { ok: true });
  assert.deepEqual(await send(url, true), { ok: false, failure: 'webhook_400', mayRetry: true });
  const form = ['application/x-www-form-urlencoded', 'logout_token=a.b-c_d.e'];
  assert.deepEqual(posted, [form, form]);
  assert.deepEqual(await send(url, false), { ok: false, failure: 'webhook_url_refused', mayRetry: false });
  for (const host of SPELLINGS) {
    const { ok, failure } = { failure: undefined, ...(await send(`https://${host}:${port}/`, false)) };
    assert.deepEqual([ok, failure], [false, 'webhook_address_refused'], host);
  }
  assert.equal(posted.length, 2);
});

test('no spelling of a private address is connected to', async (context) => {
  const { port, connections } = await receiver(context, 204);
  for (const host of SPELLINGS) {
    const outcome = await poster()(`https://${host}:${port}/`);
    assert.equal(outcome.ok, false, host);
    assert.deepEqual(outcome, { ok: false, failure: 'webhook_address_refused', mayRetry: false }, host);
  }
  assert.equal(connections(), 0);
});

test("without the operator's permission nothing is sent unencrypted, or with a name and password in the URL", async (context) => {
  const { port, connections } = await receiver(context, 204);
  const refused = { ok: false, failure: 'webhook_url_refused', mayRetry: false };
  for (const url of [
    `http://127.0.0.1:${port}`,
    `https://user:word@127.0.0.1:${port}`,
    `https://user@127.0.0.1:${port}`,
    `https://:word@127.0.0.1:${port}`,
    'file:///etc/passwd',
    'gopher://127.0.0.1',
    'nonsense',
  ]) {
    assert.deepEqual(await poster()(url), refused, url);
  }
  const named = ['user:word', 'user', ':word'].map((login) => `http://${login}@127.0.0.1:${port}`);
  for (const url of [...named, 'ftp://127.0.0.1']) {
    assert.deepEqual(await poster(inward)(url), refused, url);
  }
  assert.equal(connections(), 0);
});

function answering(...answers: readonly (readonly string[])[]): { lookup: DnsLookup; asked: string[] } {
  const asked: string[] = [];
  const lookup: DnsLookup = (hostname, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { lookup, asked };
}

test('a name with a private address among its addresses is refused completely', async (context) => {
  const { port, connections } = await receiver(context, 204);
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['2606:4700::1111', '::ffff:127.0.0.1'], ['::1']]) {
    const outcome = await poster(answering(addresses))(`https://hooks.example.com:${port}/`);
    assert.deepEqual(outcome, { ok: false, failure: 'webhook_address_refused', mayRetry: false });
  }
  assert.equal(connections(), 0);
});

test('the checked address is the one that is connected to, however the name resolves a moment later', async (context) => {
  const [first, second] = await twoReceivers(context);
  const { lookup, asked } = answering(['127.0.0.2'], ['127.0.0.1']);
  const looked: string[] = [];
  const allows = (address: string): boolean => {
    looked.push(address);
    return address === '127.0.0.2';
  };
  const url = new URL(`http://rebind.example.com:${first.port}/`);
  const post = { url, secret: SECRET, id: 'e1', body: BODY, at: new Date(clock.now()) };
  assert.deepEqual(await postSigned(post, NEVER, { allows, lookup }), { kind: 'answered', status: 204 });
  assert.deepEqual([asked, looked], [['rebind.example.com'], ['127.0.0.2']]);
  assert.deepEqual(await postSigned(post, NEVER, { allows, lookup }), { kind: 'forbidden' });
  assert.deepEqual([first.taken.length, second.connections()], [1, 0]);
});
