import { createServer } from 'node:net';

/** Below the ports that a system assigns itself (on Linux from 32768 on), so a free port stays free until it is used. */
const FIRST_PORT = 11_000;
/** Each concurrent process has its own ports. */
const PORTS_OF_A_PROCESS = 20;
const PROCESSES = 1_000;

let given = 0;

/** Finds a free port, for servers whose address must be known before they start. */
export async function findFreePort(): Promise<number> {
  const first = FIRST_PORT + (process.pid % PROCESSES) * PORTS_OF_A_PROCESS;
  for (let tries = 0; tries < PORTS_OF_A_PROCESS; tries += 1) {
    const port = first + (given % PORTS_OF_A_PROCESS);
    given += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`somebody listens at each port from ${first} on`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => resolve(true));
  const isListening = await promise;
  if (isListening) await new Promise((closed) => server.close(closed));
  return isListening;
}
