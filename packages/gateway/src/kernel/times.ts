/** Formats a provider's time (seconds since the epoch) for routes: ISO 8601, UTC. */
export function formatIsoTime(seconds: number): string;
export function formatIsoTime(seconds: number | undefined): string | undefined;
export function formatIsoTime(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** Formats a time in milliseconds since the epoch for routes: ISO 8601, UTC. */
export function formatIsoTimeFromMs(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
