import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { parseTexts, readFrames } from './postgres-frames.ts';

/** Records what clients send to a PostgreSQL server. */
export interface StatementLog {
  /** The database's URL through the log. */
  readonly url: string;
  /**
   * Returns the statements that completed since the last call, oldest first: the SQL, and after an arrow what the server reports for it,
   * for example `INSERT 0 1`. Parameters are not part of it.
   */
  take(): readonly string[];
  close(): Promise<void>;
}

/** Starts a proxy in front of the server of a database that records each statement with the number of rows it read or wrote. */
export async function logStatements(databaseUrl: string): Promise<StatementLog> {
  const url = new URL(databaseUrl);
  const target = { port: Number(url.port), host: url.hostname, noDelay: true };
  const completed: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const backend = connect(target);
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    record(client, backend, completed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    take: () => completed.splice(0),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Pairs each statement of a client (`Parse` or `Query`) with the `CommandComplete` messages that precede the next `ReadyForQuery`. */
function record(client: Socket, backend: Socket, completed: string[]): void {
  const sent: string[] = [];
  let results: string[] = [];
  let isStarted = false;
  readFrames(client, true, ({ type, body }) => {
    if (type === 'Q') sent.push(parseTexts(body)[0] ?? '');
    if (type === 'P') sent.push(parseTexts(body)[1] ?? '');
    return 'started';
  });
  readFrames(backend, false, ({ type, body }) => {
    if (type === 'C') results.push(parseTexts(body)[0] ?? '');
    if (type === 'E') results.push('ERROR');
    if (type !== 'Z') return 'next';
    // The first `ReadyForQuery` ends the login.
    if (isStarted) completed.push(`${sent.shift()} -> ${results.join(', ')}`);
    isStarted = true;
    results = [];
    return 'next';
  });
}
