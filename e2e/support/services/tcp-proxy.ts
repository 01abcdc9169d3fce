import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The state of connections: bytes pass; or nothing passes without notice, like with a pulled cable; or single bytes pass now and then; or
 * connections are reset.
 */
export type ConnectionState = 'open' | 'hole' | 'trickle' | 'reset';

/** A proxy between a service and a server, below any protocol. */
export interface TcpProxy {
  readonly port: number;
  /** Applies from now on, also to existing connections. */
  setState(line: ConnectionState): void;
  close(): Promise<void>;
}

const TRICKLE_MS = 1_000;

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** Starts one in front of a port of this machine. */
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
    // With a pulled cable, neither side learns of an end.
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
