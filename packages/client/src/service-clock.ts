/** The time of the service, as near as it is known. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Takes notice of the `Date` of an answer, where the page may read it. */
  onDate(date: string | null): void;
}

/** The header has whole seconds, and is read when the answer has arrived: a clock that is this near is right. */
const TOLERANCE_MS = 30_000;

/** The machine's clock, set right by the service: a proof of a password carries the time, and the service takes it for some minutes. */
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
