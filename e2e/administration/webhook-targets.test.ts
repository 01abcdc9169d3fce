import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertInvalidField, startTestService, type TestService } from '../support/services/test-service.ts';

/** An internal address that must never be connected to. */
interface Inside {
  readonly port: number;
  readonly connections: Socket[];
  readonly server: Server;
}

async function startInside(): Promise<Inside> {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.destroy();
  });
  // On every address of the machine, including IPv6.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { port: (server.address() as AddressInfo).port, connections, server };
}

/** Every notation of an internal address. */
const hostsInside = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '１２７.0.0.1',
  'ⓛocalhost',
] as const;

/** Internal addresses of other machines: clouds, private networks and the link. Nothing answers there in a test. */
const othersInside = [
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/',
  'https://[fe80::1]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://[::ffff:169.254.169.254]/',
] as const;

const EVENT = 'group.created';
/** The queue is checked once a second. On a busy machine it takes longer until everything is posted. */
const PATIENCE_MS = 60_000;

describe('targets of webhooks', () => {
  let service: TestService;
  let inside: Inside;
  before(async () => {
    inside = await startInside();
    service = await startTestService();
  });
  after(async () => {
    await service.close();
    inside.server.close();
  });

  const create = (url: unknown, on = service) => on.post('/admin/webhooks', { url, events: [EVENT] }, on.asAdmin);
  let groups = 0;
  const happen = async (on = service): Promise<void> => {
    groups += 1;
    const made = await on.post('/admin/groups', { group_name: `g${groups}` }, on.asAdmin);
    assert.equal(made.status, 201, made.text);
  };

  it('must not be internal addresses, in any notation', async () => {
    for (const host of hostsInside) assertInvalidField(await create(`https://${host}:${inside.port}/`), 'url', host);
    assert.equal(inside.connections.length, 0);
  });

  it('must not be addresses of clouds or private networks', async () => {
    for (const url of othersInside) assertInvalidField(await create(url), 'url', url);
  });

  it('must be HTTP URLs without user information', async () => {
    for (const url of [
      `http://127.0.0.1:${inside.port}/`,
      'http://hooks.example.com/',
      'file:///etc/passwd',
      'gopher://127.0.0.1:6379/_INFO',
      'ftp://example.com/',
      'javascript:alert(1)',
      'unix:/var/run/docker.sock',
      'https://user:secret@hooks.example.com/',
      `https://hooks.example.com@127.0.0.1:${inside.port}/`,
      'https://',
      'https:///x',
      'hooks.example.com',
      '',
      ['https://hooks.example.com/'],
      { href: 'https://hooks.example.com/' },
      'https://hooks.example.com/\r\nX-Injected: 1',
    ])
      assertInvalidField(await create(url), /^url/, JSON.stringify(url));
    assert.equal(inside.connections.length, 0);
  });

  it('are not followed to an internal address by a redirect, even if the receiver itself is allowed', async (t: TestContext) => {
    const open = await startTestService({ privateWebhooks: true });
    t.after(() => open.close());
    const posted: string[] = [];
    const redirecting = createHttpServer((request, response) => {
      posted.push(request.url ?? '');
      response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    t.after(() => redirecting.close());
    const { port } = redirecting.address() as AddressInfo;
    const hook = await create(`http://127.0.0.1:${port}/hook`, open);
    assert.equal(hook.status, 201, hook.text);
    const before = inside.connections.length;
    await happen(open);
    for (const end = Date.now() + PATIENCE_MS; posted.length === 0 && Date.now() < end; ) await wait(20);
    assert.deepEqual(posted, ['/hook']);
    assert.equal(inside.connections.length, before);
  });
});
