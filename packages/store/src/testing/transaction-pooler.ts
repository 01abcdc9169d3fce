import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { encodeFrame, type Frame, parseTexts, readFrames } from './postgres-frames.ts';

const SSL_REQUEST = 80_877_103;
const GSSENC_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/**
 * The startup parameters that PgBouncer accepts with its default settings (https://www.pgbouncer.org/config.html,
 * ignore_startup_parameters). It refuses all others, including `options`.
 */
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
]);

/** A connection to the server, which belongs to a client during a transaction. */
interface Backend {
  readonly socket: Socket;
  /** The key that cancels its statements: the body of the server's BackendKeyData. */
  key: Buffer;
  client: Client | undefined;
}

interface Client {
  readonly socket: Socket;
  backend: Backend | undefined;
  /** The number of requests without a response yet, counted by the server's ReadyForQuery messages. */
  open: number;
  /** The client's cancel key: that of the backend through which it logged in. */
  key: Buffer;
  waiting: Frame[];
}

/** A pooler in front of a PostgreSQL server. */
export interface TransactionPooler {
  /** The URL of the database through the pooler. */
  readonly url: string;
  /** An action of a client that a transaction pool does not support. */
  readonly refused: readonly string[];
  /** How often a client got another connection than before. */
  readonly switches: () => number;
  close(): Promise<void>;
}

/**
 * Pools connections like PgBouncer in transaction mode. It refuses unknown startup parameters, and reassigns a connection when its
 * transaction ends, always to the client that has waited longest, so that clients rarely keep the same one.
 */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const target = new URL(databaseUrl);
  const pool = new Pool(Number(target.port), target.hostname);
  const server = createServer({ noDelay: true }, (socket) => pool.accept(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    refused: pool.refused,
    switches: () => pool.switches,
    close: async () => {
      pool.close();
      server.close();
      await once(server, 'close');
    },
  };
}

class Pool {
  readonly refused: string[] = [];
  switches = 0;
  readonly #port: number;
  readonly #host: string;
  readonly #idle: Backend[] = [];
  readonly #queue: Client[] = [];
  readonly #clients = new Set<Client>();
  readonly #backends = new Set<Backend>();
  readonly #last = new WeakMap<Client, Backend>();

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  accept(socket: Socket): void {
    const client: Client = { socket, backend: undefined, open: 0, key: Buffer.alloc(0), waiting: [] };
    this.#clients.add(client);
    let begun = false;
    socket.on('error', () => {});
    socket.on('close', () => this.#left(client));
    readFrames(socket, true, (message) => {
      if (begun) {
        this.#asked(client, message);
        return 'next';
      }
      begun = this.#start(client, message);
      return begun ? 'started' : 'next';
    });
  }

  close(): void {
    for (const { socket } of [...this.#clients, ...this.#backends]) socket.destroy();
  }

  /** @returns whether the client has started a session */
  #start(client: Client, { bytes, body }: Frame): boolean {
    const code = body.readInt32BE(0);
    if (code === SSL_REQUEST || code === GSSENC_REQUEST) {
      client.socket.write('N');
      return false;
    }
    if (code === CANCEL_REQUEST) {
      this.#cancel(body.subarray(4));
      client.socket.end();
      return false;
    }
    const named = parseTexts(body.subarray(4)).filter((_, index) => index % 2 === 0);
    const unknown = named.filter((name) => name !== '' && !KNOWN_PARAMETERS.has(name.toLowerCase()));
    if (unknown.length > 0) this.#refuse(client, `unsupported startup parameter: ${unknown[0]}`);
    else this.#logIn(client, bytes);
    return true;
  }

  #refuse({ socket }: Client, reason: string): void {
    this.refused.push(reason);
    const fields = [`SFATAL`, `C08P01`, `M${reason}`, ''];
    socket.end(encodeFrame('E', Buffer.from(`${fields.join('\0')}\0`)));
  }

  /** The client logs in to the server itself, through a connection that then belongs to the pool. */
  #logIn(client: Client, startup: Buffer): void {
    const socket = connect({ port: this.#port, host: this.#host, noDelay: true });
    const backend: Backend = { socket, key: Buffer.alloc(0), client };
    this.#backends.add(backend);
    client.backend = backend;
    client.open = 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#backends.delete(backend);
      const index = this.#idle.indexOf(backend);
      if (index >= 0) this.#idle.splice(index, 1);
      backend.client?.socket.destroy();
    });
    readFrames(socket, false, (message) => {
      this.#answered(backend, message);
      return 'next';
    });
    socket.write(startup);
  }

  #answered(backend: Backend, { type, bytes, body }: Frame): void {
    const { client } = backend;
    if (type === 'K') backend.key = Buffer.from(body);
    if (client === undefined) return;
    if (type === 'K') client.key = backend.key;
    client.socket.write(bytes);
    if (type !== 'Z') return;
    client.open -= 1;
    if (client.open > 0 || body.toString('latin1') !== 'I') return;
    client.backend = undefined;
    backend.client = undefined;
    this.#idle.push(backend);
    this.#serve();
  }

  #asked(client: Client, message: Frame): void {
    if (message.type === 'X') {
      client.socket.end();
      return;
    }
    if (message.type === 'P' && parseTexts(message.body)[0] !== '') this.refused.push('a named prepared statement');
    // Passwords are exchanged before the session is ready.
    if (message.type === 'Q' || message.type === 'S') client.open += 1;
    if (client.backend === undefined) {
      if (client.waiting.push(message) === 1) this.#queue.push(client);
      this.#serve();
    } else {
      client.backend.socket.write(message.bytes);
    }
  }

  #serve(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const client = this.#queue.shift();
      const backend = this.#idle.shift();
      if (client === undefined || backend === undefined) return;
      if (this.#last.get(client) !== backend) this.switches += 1;
      this.#last.set(client, backend);
      client.backend = backend;
      backend.client = client;
      for (const { bytes } of client.waiting.splice(0)) backend.socket.write(bytes);
    }
  }

  #cancel(key: Buffer): void {
    const asking = [...this.#clients].find((client) => client.key.equals(key));
    if (asking?.backend === undefined) return;
    const code = Buffer.alloc(4);
    code.writeInt32BE(CANCEL_REQUEST);
    const socket = connect(this.#port, this.#host);
    socket.on('error', () => {});
    socket.end(encodeFrame('', Buffer.concat([code, asking.backend.key])));
  }

  /** A connection that was left in the middle of something is of no use to others. */
  #left(client: Client): void {
    this.#clients.delete(client);
    const index = this.#queue.indexOf(client);
    if (index >= 0) this.#queue.splice(index, 1);
    client.backend?.socket.destroy();
  }
}
