import { setTimeout as delay } from 'node:timers/promises';
import { type ClientRequest, startKeepAliveClients } from '../support/services/keep-alive-clients.ts';
import type { RandomBalancer } from '../support/services/random-balancer.ts';

/** The restarted service. */
interface Replica {
  readonly url: string;
}

interface RollOptions<Running extends Replica> {
  /** The number of restarts per replica. */
  readonly rounds: number;
  readonly clients: number;
  /** Stops one like an operator, and starts another to replace it. */
  restart(replica: Running): Promise<Running>;
  readonly tell?: (line: string) => void;
}

/** The results. */
interface Rolled<Running> {
  readonly restarts: number;
  readonly answered: number;
  /** Requests that were lost, or without a 200 response. */
  readonly faults: readonly string[];
  readonly running: readonly Running[];
}

const LOGIN = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

/** Every fourth request is a login, which uses up a session and writes. */
function nextRequest(turn: number): ClientRequest {
  return turn % 4 === 3
    ? { method: 'POST', path: '/login', body: LOGIN }
    : { method: 'GET', path: '/login/parameters' };
}

const LOOK_MS = 10;

/** Restarts replicas behind a load balancer one after another, while clients with persistent connections log in and read. */
export async function rollReplicas<Running extends Replica>(
  spreader: RandomBalancer,
  replicas: readonly Running[],
  { rounds, clients, restart, tell = () => {} }: RollOptions<Running>,
): Promise<Rolled<Running>> {
  const running = [...replicas];
  const load = startKeepAliveClients(spreader.url, clients, nextRequest);
  await load.warm;
  const roll = async (): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      for (const index of running.keys()) {
        const before = running[index];
        if (before === undefined) continue;
        const after = await restart(before);
        running[index] = after;
        spreader.use(running.map(({ url }) => url));
        while (!spreader.isUsed(after.url)) await delay(LOOK_MS);
        tell(`round ${round + 1}, replica ${index + 1} is back`);
      }
    }
  };
  await roll().finally(() => load.stop());
  const { answered, others, lost } = await load.stop();
  const faults = [...lost, ...spreader.lost, ...others];
  return { restarts: rounds * running.length, answered, faults, running };
}
