import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export { findFreePort } from '@poolgate/store/testing';

const MOST_TRIES = 400;

/** Waits up to ten seconds for another vendor's program, which does not report when it listens. */
export async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await delay(25);
  }
  throw new Error(`nothing listens on port ${port}`);
}
