import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { TestClock, TestTimer } from '../../packages/pool/src/testing/test-environment.ts';
import { rollReplicas } from '../proofs/rolling-restarts.ts';
import { sendRequest } from '../support/requests/exchange.ts';
import { startKeepAliveClients } from '../support/services/keep-alive-clients.ts';
import { startRandomBalancer } from '../support/services/random-balancer.ts';
import { openReplicas } from '../support/services/replicas.ts';
import { assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

const CLIENTS = 40;
const NOTICE_MS = 300;
/** So many checks of the load balancer that one is in time on a busy machine, too. */
const ROLLING_NOTICE_MS = 1_000;
const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);
const READ = { method: 'GET', path: '/login/parameters' };

describe('a service that is stopped', () => {
  it('answers every request of clients with open connections', async () => {
    const service = await startTestService();
    const clients = startKeepAliveClients(service.url, CLIENTS, () => READ);
    await clients.warm;
    await service.close(NOTICE_MS);
    const { answered, others, lost, sentAway } = await clients.stop();
    assert.deepEqual([...lost, ...others], []);
    assert.ok(answered >= CLIENTS);
    assert.equal(sentAway, CLIENTS);
  });

  it('becomes unready at once, keeps serving, and closes each connection after its response', async () => {
    const clock = new TestClock(START_MS);
    const timer = new TestTimer(clock);
    const service = await startTestService({ timer }, clock);
    assert.equal((await service.get('/readyz')).status, 200);
    const closed = service.close(NOTICE_MS);
    assertProblem(await sendRequest(service.url, 'GET', '/readyz'), 503, 'unavailable');
    const served = await sendRequest(service.url, 'GET', '/healthz');
    assert.deepEqual([served.status, served.headers.connection], [200, 'close']);
    clock.advance(NOTICE_MS);
    timer.runDue();
    await closed;
  });

  it('answers requests that were sent before a stop without notice', async () => {
    const service = await startTestService();
    const sockets = Array.from({ length: CLIENTS }, () => connect(Number(new URL(service.url).port), '127.0.0.1'));
    const ask = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (const socket of sockets) socket.write(ask);
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) socket.write(ask);
    const closed = service.close();
    const answers = await Promise.all(sockets.map((socket) => text(socket)));
    await closed;
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 .*connection: close/is);
  });

  it('closes idle connections without a reset', async () => {
    const service = await startTestService();
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    const closed = service.close();
    // An 'error' event would reject here.
    await once(socket, 'end');
    socket.end();
    await closed;
  });
});

it('two replicas that restart one after the other under load lose no request', async () => {
  const replicas = await openReplicas();
  // A rolling restart affects all secrets but the one that all replicas share.
  const rolled = [replicas.other, await replicas.one.replica()];
  const spreader = await startRandomBalancer(
    rolled.map(({ url }) => url),
    { lookMs: 20 },
  );
  const restart = async (service: TestService): Promise<TestService> => {
    await service.close(ROLLING_NOTICE_MS);
    return replicas.one.replica();
  };
  const found = await rollReplicas(spreader, rolled, { rounds: 1, clients: 8, restart });
  await spreader.close();
  for (const replica of found.running) await replica.close();
  await replicas.close();
  assert.deepEqual(found.faults, []);
  assert.ok(found.answered > 50, `${found.answered} answered`);
});
