import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What becomes of connections: bytes pass; or nothing passes and nobody is told, as behind a cable that is pulled; or a byte comes
 * now and then; or connections are reset.
 */
export type ConnectionState = 'open' | 'hole' | 'trickle' | 'reset';

/** Stands between a service and a server, below any protocol. */
export interface TcpProxy {
  readonly port: number;
  /** From now on, for connections that are there too. */
  setState(line: ConnectionState): void;
  close(): Promise<void>;
}

const TRICKLE_MS = 1_000;

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** Starts one before a port of this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let line: ConnectionState = 'open';

  const drip = (from: Socket, to: Socket, bytes: Buffer): void => {
    let at = 0;
    from.pause();
    const timer = setInterval(() => {
      if (line === 'hole') return;
      const end = line === 'trickle' ? at + 1 : bytes.length;
      to.write(bytes.subarray(at, end));
      at = end;
      if (at < bytes.length && !to.destroyed) return;
      clearInterval(timer);
      from.resume();
    }, TRICKLE_MS);
    for (const socket of [from, to]) socket.once('close', () => clearInterval(timer));
  };
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (bytes: Buffer) => {
      if (line === 'open') to.write(bytes);
      else drip(from, to, bytes);
    });
    // Behind a cable that is pulled nobody hears of an end either.
    from.once('close', () => {
      if (line !== 'hole') to.destroy();
    });
    from.on('error', () => {});
  };
  const server = createServer((near) => {
    if (line === 'reset') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    near.once('close', () => pairs.delete(pair));
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    setState(next) {
      line = next;
      if (next === 'reset') cut();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      line = 'reset';
      cut();
      await closed;
    },
  };
}
