import type { LoadOrder, LoadResults } from '../rig/load-process.ts';
import type { Account, Target } from './drive.ts';
import { DRIVES } from './drives.ts';

type Act = (account: Account) => Promise<void>;

/** Acts are kept with their target, so that connections and the clients' memory last between rounds. */
const acts = new Map<string, Act>();

function createAct({ drive, target }: { drive: LoadOrder['drive']; target: Target }): Act {
  const key = `${drive} ${target.oauth?.tokenUrl ?? target.url} ${target.oauth?.clientId}`;
  const found = acts.get(key);
  if (found) return found;
  const made = DRIVES[drive](target);
  acts.set(key, made);
  return made;
}

/** Clients act until the time is over. Acts that have begun by then are completed and counted. */
export async function runLoad({ drive, target, clients, seconds }: LoadOrder): Promise<LoadResults['load']> {
  const act = createAct({ drive, target });
  const latenciesMs: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1000;
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const account = target.accounts[next++ % target.accounts.length] as Account;
      const start = performance.now();
      await act(account);
      latenciesMs.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { latenciesMs, seconds: (performance.now() - began) / 1000 };
}
