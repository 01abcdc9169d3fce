/** A provider's time, in seconds since the epoch, as routes show it: ISO 8601, UTC. */
export function formatIsoTime(seconds: number): string;
export function formatIsoTime(seconds: number | undefined): string | undefined;
export function formatIsoTime(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** A time of ours, in milliseconds since the epoch, as routes show it: ISO 8601, UTC. */
export function formatIsoTimeFromMs(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
