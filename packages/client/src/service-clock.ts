/** An estimate of the service's clock. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Processes the `Date` header of a response, if the page may read it. */
  onDate(date: string | null): void;
}

/** The header has whole seconds and is read when the response has arrived, so a smaller difference counts as none. */
const TOLERANCE_MS = 30_000;

/** The machine's clock, corrected by the service's. Password proofs carry a timestamp, and the service accepts it only for some minutes. */
export function createServiceClock(machine: () => number = Date.now): ServiceClock {
  let offsetMs = 0;
  return {
    now: () => machine() + offsetMs,
    onDate(date) {
      const differenceMs = Date.parse(date ?? '') - machine();
      if (!Number.isNaN(differenceMs)) offsetMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0;
    },
  };
}
