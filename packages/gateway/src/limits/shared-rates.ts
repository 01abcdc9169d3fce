import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/deps.ts';
import type { RateRecords } from '../records/index.ts';

/** A rate limit per minute that all replicas share. */
export interface Rate {
  readonly name: string;
  readonly perMinute: number;
}

/** The exhausted rate, and when it is available again. */
export interface RefusedRate {
  readonly rate: Rate;
  readonly retryAfterSeconds: number;
}

const MINUTE_MS = 60_000;
/** A replica leases this fraction of a minute's allowance at once, so that most steps need no store access. */
const LEASED_SHARE = 30;
/** With more names, the oldest is dropped. The rest of its lease is lost for that minute. */
const MAX_NAMES = 65_536;

/** This replica's knowledge of a rate: the unused part of its lease, or that it is exhausted. */
type Known =
  | { readonly kind: 'lease'; left: number; readonly untilMs: number }
  | { readonly kind: 'empty'; readonly untilMs: number };

const computeLeaseSize = ({ perMinute }: Rate): number => Math.max(1, Math.floor(perMinute / LEASED_SHARE));

const computeCostMs = ({ perMinute }: Rate, steps: number): number =>
  Math.max(1, Math.floor((MINUTE_MS * steps) / perMinute));

/** Takes from rates that all replicas share, a few steps at a time. Never more than the limit is taken. */
export class SharedRates {
  readonly #records: RateRecords;
  readonly #clock: Clock;
  readonly #known = new BoundedMap<string, Known>(MAX_NAMES);
  readonly #asking = new Map<string, Promise<void>>();

  constructor(records: RateRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /**
   * Takes one step from each. After an exhausted one, nothing is taken from the following ones.
   * @returns the exhausted rate; undefined if all had something left
   */
  async take(rates: readonly Rate[]): Promise<RefusedRate | undefined> {
    for (;;) {
      const refused = this.findRefusal(rates);
      if (refused !== undefined) return refused;
      const found = rates.map((rate) => ({ rate, known: this.#lookUp(rate) }));
      const unknown = found.filter(({ known }) => known === undefined).map(({ rate }) => rate);
      if (unknown.length === 0) {
        for (const { known } of found) if (known?.kind === 'lease') known.left -= 1;
        return undefined;
      }
      await this.#learn(unknown);
    }
  }

  /** Forgets its leases and what was exhausted. */
  clear(): void {
    this.#known.clear();
  }

  /** Returns which of them this replica has recently found exhausted, without taking anything or asking the store. */
  findRefusal(rates: readonly Rate[]): RefusedRate | undefined {
    for (const rate of rates) {
      const known = this.#lookUp(rate);
      if (known?.kind !== 'empty') continue;
      const waitMs = known.untilMs - this.#clock.now();
      return { rate, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
    }
    return undefined;
  }

  #lookUp({ name }: Rate): Known | undefined {
    const known = this.#known.get(name);
    if (known === undefined || (known.kind === 'lease' && known.left === 0)) return undefined;
    const restMs = known.untilMs - this.#clock.now();
    // A later time comes from a clock that was since set back.
    return restMs > 0 && restMs <= MINUTE_MS ? known : undefined;
  }

  /** Asks the store, or joins a running query for the same rate. Otherwise simultaneous steps would each lease a share. */
  async #learn(rates: readonly Rate[]): Promise<void> {
    const others = rates.flatMap(({ name }) => this.#asking.get(name) ?? []);
    if (others.length > 0) {
      await Promise.allSettled(others);
      return;
    }
    const asking = this.#ask(rates).finally(() => {
      for (const { name } of rates) this.#asking.delete(name);
    });
    for (const { name } of rates) this.#asking.set(name, asking);
    await asking;
  }

  /** First leases a share of each, then single steps of those with too little left for a share. */
  async #ask(rates: readonly Rate[]): Promise<void> {
    const short = await this.#lease(rates, computeLeaseSize);
    const left = short.some((rate) => computeLeaseSize(rate) > 1) ? await this.#lease(short, () => 1) : short;
    // If the first one is exhausted, the state of the others is unknown.
    const empty = left[0] === rates[0] ? left.slice(0, 1) : left;
    const nowMs = this.#clock.now();
    for (const rate of empty) this.#known.set(rate.name, { kind: 'empty', untilMs: nowMs + computeCostMs(rate, 1) });
  }

  /** @returns those that had less than this left */
  async #lease(rates: readonly Rate[], stepsOf: (rate: Rate) => number): Promise<readonly Rate[]> {
    const nowMs = this.#clock.now();
    const takes = rates.map((rate) => ({ name: rate.name, costMs: computeCostMs(rate, stepsOf(rate)) }));
    const taken = new Set(await this.#records.take(takes, nowMs));
    const isTaken = ({ name }: Rate): boolean => taken.has(name);
    for (const rate of rates.filter(isTaken)) {
      this.#known.set(rate.name, { kind: 'lease', left: stepsOf(rate), untilMs: nowMs + MINUTE_MS });
    }
    return rates.filter((rate) => !isTaken(rate));
  }
}
