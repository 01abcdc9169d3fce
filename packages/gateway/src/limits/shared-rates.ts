import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/deps.ts';
import type { RateRecords } from '../records/index.ts';

/** Something that may be done so often in a minute, by all replicas together. */
export interface Rate {
  readonly name: string;
  readonly perMinute: number;
}

/** Which rate had nothing left, and when it has again. */
export interface RefusedRate {
  readonly rate: Rate;
  readonly retryAfterSeconds: number;
}

const MINUTE_MS = 60_000;
/** A replica takes this share of a minute's allowance at once, so that most steps ask the store nothing. */
const LEASED_SHARE = 30;
/** With more names the oldest is forgotten; what was left of its lease is lost to that minute. */
const MAX_NAMES = 65_536;

/** What this replica knows of a rate: how much it has taken and not used, or that there was nothing to take. */
type Known =
  | { readonly kind: 'lease'; left: number; readonly untilMs: number }
  | { readonly kind: 'empty'; readonly untilMs: number };

const computeLeaseSize = ({ perMinute }: Rate): number => Math.max(1, Math.floor(perMinute / LEASED_SHARE));

const computeCostMs = ({ perMinute }: Rate, steps: number): number =>
  Math.max(1, Math.floor((MINUTE_MS * steps) / perMinute));

/** Takes of rates that all replicas share, a few steps at a time. Never are more taken than there are. */
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
   * Takes one step of each. Of those behind one that has nothing left nothing is taken.
   * @returns which one has nothing left; undefined where all had something
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

  /** Which of them this replica has just found to have nothing left. Takes nothing, and asks nobody. */
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
    // Further ahead it was learnt by a clock that has been set back since.
    return restMs > 0 && restMs <= MINUTE_MS ? known : undefined;
  }

  /** Asks the store, or waits for whoever asks it of the same: else many that come together would each take a share. */
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

  /** For a share of each, then of what had no share left for one step. */
  async #ask(rates: readonly Rate[]): Promise<void> {
    const short = await this.#lease(rates, computeLeaseSize);
    const left = short.some((rate) => computeLeaseSize(rate) > 1) ? await this.#lease(short, () => 1) : short;
    // Of those behind the first, where that is empty, it is not known whether they have something left.
    const empty = left[0] === rates[0] ? left.slice(0, 1) : left;
    const nowMs = this.#clock.now();
    for (const rate of empty) this.#known.set(rate.name, { kind: 'empty', untilMs: nowMs + computeCostMs(rate, 1) });
  }

  /** @returns those of which so much could not be taken */
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
