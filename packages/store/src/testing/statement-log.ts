import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { parseTexts, readFrames } from './postgres-frames.ts';

/** Statements that were sent to the server and answered together. */
export type RoundTrip = readonly string[];

/** Records what clients send to a PostgreSQL server. */
export interface StatementLog {
  /** The URL of the database through the log. */
  readonly url: string;
  /**
   * Returns the round trips that ended since the last call, oldest first, each with its statements: the SQL and, after an arrow, the
   * server's report such as `INSERT 0 1`. It contains neither parameters nor requests for plans, which a service sends for slow statements,
   * and on a busy machine any statement is slow.
   */
  take(): readonly RoundTrip[];
  close(): Promise<void>;
}

/** Starts a proxy in front of a database's server that records each statement with the number of rows it read or wrote. */
export async function logStatements(databaseUrl: string): Promise<StatementLog> {
  const url = new URL(databaseUrl);
  const target = { port: Number(url.port), host: url.hostname, noDelay: true };
  const completed: RoundTrip[] = [];
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
    take: () => completed.splice(0).filter((trip) => !trip.every(isPlan)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const isPlan = (statement: string): boolean => statement.startsWith('explain ');

/**
 * Pairs what a client sends up to a `Sync` or in a `Query` with the responses before the next `ReadyForQuery`. A `Query` counts as one
 * statement, whatever it contains.
 */
function record(client: Socket, backend: Socket, completed: RoundTrip[]): void {
  const sent: RoundTrip[] = [];
  let parsed: string[] = [];
  let results: string[] = [];
  let isStarted = false;
  readFrames(client, true, ({ type, body }) => {
    if (type === 'P') parsed.push(parseTexts(body)[1] ?? '');
    if (type === 'Q') sent.push([parseTexts(body)[0] ?? '']);
    if (type === 'S') {
      sent.push(parsed);
      parsed = [];
    }
    return 'started';
  });
  readFrames(backend, false, ({ type, body }) => {
    if (type === 'C') results.push(parseTexts(body)[0] ?? '');
    if (type === 'E') results.push('ERROR');
    if (type !== 'Z') return 'next';
    // The first `ReadyForQuery` ends the login.
    if (isStarted) completed.push(describeRoundTrip(sent.shift() ?? [], results));
    isStarted = true;
    results = [];
    return 'next';
  });
}

function describeRoundTrip(statements: RoundTrip, results: readonly string[]): RoundTrip {
  if (statements.length === 1) return [`${statements[0]} -> ${results.join(', ')}`];
  return statements.map((statement, index) => `${statement} -> ${results[index] ?? 'SKIPPED'}`);
}
