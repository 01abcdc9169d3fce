import { createServer } from 'node:net';

/**
 * Below the ports that a system gives to whoever asks for any (on Linux from 32768 on): what is free there stays so, however many servers
 * and connections begin before it is used.
 */
const FIRST_PORT = 11_000;
/** Processes that run at a time have ports of their own. */
const PORTS_OF_A_PROCESS = 20;
const PROCESSES = 1_000;

let given = 0;

/** A port that nobody listens at: for servers that must be named before they are there. */
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
