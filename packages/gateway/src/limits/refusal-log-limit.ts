import type { Clock } from '../kernel/deps.ts';
import { toClientNetwork } from './client-address.ts';

/** Says whether a refusal may be recorded: few in a window, and fewer of each network, so that no log is filled by them. */
export interface RefusalLogLimit {
  /**
   * Counts one refusal that is to be recorded.
   * @param address the client's address, as text
   * @param text what would be recorded; the same text is recorded once in a window
   */
  mayRecord(address: string, text?: string): boolean;
}

/** How many refusals may be recorded. */
export interface RefusalLogBounds {
  readonly windowMs: number;
  /** In a window. */
  readonly most: number;
  /** Of these, of one network. */
  readonly perNetwork: number;
}

const ONE_A_MINUTE: RefusalLogBounds = { windowMs: 60_000, most: 60, perNetwork: 1 };

/** An allowance of this process; by default one refusal a minute and network, and 60 in all. */
export function createRefusalLogLimit(
  clock: Clock,
  { windowMs, most, perNetwork }: RefusalLogBounds = ONE_A_MINUTE,
): RefusalLogLimit {
  const networks = new Map<string, number>();
  const texts = new Set<string>();
  let recorded = 0;
  let beganAtMs = Number.NEGATIVE_INFINITY;
  return {
    mayRecord(address, text) {
      const nowMs = clock.now();
      // Either way: a clock that is set back does not silence what comes.
      if (Math.abs(nowMs - beganAtMs) >= windowMs) {
        networks.clear();
        texts.clear();
        recorded = 0;
        beganAtMs = nowMs;
      }
      const network = toClientNetwork(address);
      const ofNetwork = networks.get(network) ?? 0;
      if (recorded >= most || ofNetwork >= perNetwork || (text !== undefined && texts.has(text))) return false;
      recorded += 1;
      networks.set(network, ofNetwork + 1);
      if (text !== undefined) texts.add(text);
      return true;
    },
  };
}
