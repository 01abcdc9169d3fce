import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { LargeBodies } from './large-bodies.ts';

const isLimit = (error: unknown): boolean => error instanceof GatewayError && error.code === 'too_many_requests';

function send(bodies: LargeBodies, address: string): PassThrough {
  const response = new PassThrough();
  bodies.admit(address, response);
  return response;
}

async function close(response: PassThrough): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  response.destroy();
  await closed;
}

test('a network can send four large bodies at once, and the next ones when these end', async () => {
  const bodies = new LargeBodies();
  const sent = ['1', '2', '3', '4'].map((host) => send(bodies, `2001:db8::${host}`));
  assert.throws(() => send(bodies, '2001:db8::5'), isLimit);
  send(bodies, '192.0.2.1');
  await Promise.all(sent.map(close));
  for (let round = 0; round < 4; round += 1) send(bodies, '2001:db8::1');
  assert.throws(() => send(bodies, '2001:db8::1'), isLimit);
});

test('a client that has left does not count', async () => {
  const bodies = new LargeBodies();
  const left = new PassThrough();
  await close(left);
  for (let round = 0; round < 8; round += 1) bodies.admit('192.0.2.1', left);
  assert.doesNotThrow(() => send(bodies, '192.0.2.1'));
});
