/** A provider's time, in seconds since the epoch, as routes show it: ISO 8601, UTC. */
export function isoTime(seconds: number): string;
export function isoTime(seconds: number | undefined): string | undefined;
export function isoTime(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** A time of ours, in milliseconds since the epoch, as routes show it: ISO 8601, UTC. */
export function isoTimeOfMs(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
