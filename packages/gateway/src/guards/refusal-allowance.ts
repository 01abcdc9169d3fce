import type { Clock } from '../deps.ts';
import { clientNetwork } from './address.ts';

/** Says whether a refusal may be recorded: few in a minute, and one of each network, so that no log is filled by them. */
export interface RefusalAllowance {
  /**
   * Counts one refusal that is to be recorded.
   * @param address the client's address, as text
   */
  mayRecord(address: string): boolean;
}

/** How many refusals are recorded in a minute; one of each network at most. */
const MAX_RECORDS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export function createRefusalAllowance(clock: Clock): RefusalAllowance {
  const networks = new Set<string>();
  let beganAtMs = Number.NEGATIVE_INFINITY;
  return {
    mayRecord(address) {
      const nowMs = clock.now();
      // Either way: a clock that is set back does not silence what comes.
      if (Math.abs(nowMs - beganAtMs) >= MINUTE_MS) {
        networks.clear();
        beganAtMs = nowMs;
      }
      const network = clientNetwork(address);
      if (networks.has(network) || networks.size >= MAX_RECORDS_PER_MINUTE) return false;
      networks.add(network);
      return true;
    },
  };
}
