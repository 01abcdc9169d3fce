/** How often and how fast to retry. */
export interface RetryOptions {
  isRetryable(error: unknown): boolean;
  /** Returns a number from 0 to below 1 that spreads the retries of colliding writes. */
  random(): number;
  wait(delayMs: number): Promise<void>;
}

const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 10;

/** Runs an attempt and repeats it after a collision, three times at most and with increasing delays. */
export async function runWithRetries<Result>(attempt: () => Promise<Result>, parts: RetryOptions): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt();
    } catch (error) {
      if (retries === MAX_RETRIES || !parts.isRetryable(error)) throw error;
      await parts.wait(FIRST_DELAY_MS * 2 ** retries * (0.5 + parts.random()));
    }
  }
}
