import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { createGateway } from './gateway.ts';
import { createListeners } from './listeners.ts';

const CONNECTIONS = 48;
/** With 48 connections, no socket gets nearly this many. */
const TURNS = 16;

/** Opens connections that each send one request, from a separate process, because this one is blocked meanwhile. */
function askAtOnce(url: string): void {
  const { hostname, port } = new URL(url);
  const program = `
    let open = 0;
    for (let i = 0; i < ${CONNECTIONS}; i++) {
      const socket = require('node:net').connect(${port}, '${hostname}', () => {
        socket.end('GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', () => ++open === ${CONNECTIONS} && process.exit());
      });
    }`;
  execFileSync(process.execPath, ['-e', program], { timeout: 60_000 });
}

describe('a listening service', () => {
  it('accepts many connections in few turns of the event loop, so that new clients do not wait behind long ones', async () => {
    let asked = 0;
    const observe = (_request: unknown, run: () => void) => {
      asked += 1;
      run();
      return () => {};
    };
    const gateway = await createGateway({ ...createTestDeps({}), observe });
    askAtOnce(await gateway.listen('127.0.0.1', 0));
    assert.equal(asked, 0);
    for (let turn = 0; turn <= TURNS; turn += 1) await nextTurn();
    assert.equal(asked, CONNECTIONS);
    await gateway.close();
  });

  it('ends with its open connections, and accepts none afterwards', async () => {
    const gateway = await createGateway(createTestDeps({}));
    const url = await gateway.listen('127.0.0.1', 0);
    const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => fetch(`${url}/healthz`)));
    for (const answer of answers) assert.equal((await answer.text()) && answer.status, 200);
    await gateway.close();
    await assert.rejects(fetch(`${url}/healthz`));
  });

  it('has many sockets at its port if the system spreads connections, all of them once it reports that it listens', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    await nextTurn();
    const before = sockets();
    const gateway = await createGateway(createTestDeps({}));
    await gateway.listen('127.0.0.1', 0);
    assert.equal(sockets() - before, process.platform === 'linux' ? 32 : 1);
    await gateway.close();
    await nextTurn();
    assert.equal(sockets(), before);
  });

  it('waits for the connections of all of them', async () => {
    const app = Fastify();
    const listeners = createListeners(app);
    const { hostname, port } = new URL(await listeners.listen('127.0.0.1', 0));
    const clients = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
    let taken = 0;
    const all = Promise.withResolvers<void>();
    app.server.on('connection', () => {
      taken += 1;
      if (taken === CONNECTIONS) all.resolve();
    });
    await all.promise;
    let isClosed = false;
    const closed = listeners.close().then(() => {
      isClosed = true;
    });
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    assert.equal(isClosed, process.platform !== 'linux');
    for (const client of clients) client.destroy();
    await Promise.all(clients.map((client) => client.closed || once(client, 'close')));
    await closed;
    await app.close();
  });

  it('shares its port with no other service', async () => {
    const [first, second] = [await createGateway(createTestDeps({})), await createGateway(createTestDeps({}))];
    const url = await first.listen('127.0.0.1', 0);
    await assert.rejects(second.listen('127.0.0.1', Number(new URL(url).port)), { code: 'EADDRINUSE' });
    await second.close();
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    await first.close();
  });
});
