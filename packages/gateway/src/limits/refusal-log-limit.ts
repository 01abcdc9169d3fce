import type { Clock } from '../kernel/deps.ts';
import { toClientNetwork } from './client-address.ts';

/** Decides whether a refusal may be recorded: few in a window, and fewer for each network, so that no log is flooded. */
export interface RefusalLogLimit {
  /**
   * Counts one refusal to record.
   * @param address the client's address as text
   * @param text the text to record; the same text is recorded once in a window
   */
  mayRecord(address: string, text?: string): boolean;
}

/** How many refusals may be recorded. */
export interface RefusalLogBounds {
  readonly windowMs: number;
  /** In a window. */
  readonly most: number;
  /** For each network in a window. */
  readonly perNetwork: number;
}

const ONE_A_MINUTE: RefusalLogBounds = { windowMs: 60_000, most: 60, perNetwork: 1 };

/** Creates a limit for this process; by default one refusal a minute and network, and 60 in total. */
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
      // In both directions, so that a clock that is set back does not silence the log.
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
