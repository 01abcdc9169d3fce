import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTabChannel } from './tab-channel.ts';

test('a change is announced to the other tabs of the same service, and to no listener that has left', async (context) => {
  const heard: string[] = [];
  const [here, there] = [createTabChannel('a'), createTabChannel('a')];
  const arrival = Promise.withResolvers<void>();
  const stops = [
    here.listen(() => void heard.push('here')),
    there.listen(() => void heard.push('there')),
    createTabChannel('b').listen(() => void heard.push('elsewhere')),
    createTabChannel('a').listen(() => arrival.resolve()),
  ];
  // Channels do not keep the process alive.
  const waiting = setInterval(() => undefined, 60_000);
  context.after(() => {
    clearInterval(waiting);
    for (const stop of stops) stop();
  });
  here.announce();
  await arrival.promise;
  assert.deepEqual(heard, ['there']);
  stops[1]?.();
  const next = Promise.withResolvers<void>();
  stops.push(createTabChannel('a').listen(() => next.resolve()));
  createTabChannel('a').announce();
  await next.promise;
  assert.deepEqual(heard, ['there', 'here']);
});
