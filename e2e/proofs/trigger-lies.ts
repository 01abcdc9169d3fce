import { createPicker } from '../support/requests/picker.ts';
import { countLoginsByCorruption, MAX_CORRUPT_ANSWERS } from '../support/triggers/corrupt-trigger.ts';

/** What came of many lies. */
interface TriggerLies {
  readonly lies: number;
  /** How many logins were answered with which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Lies of a service that it did not bear, each with the seed that finds it again. */
  readonly faults: readonly string[];
}

/** Has the function before the tokens lie so many times, in services one after the other, each with a seed of its own. */
export async function triggerLies(seed: number, count: number, tell: (line: string) => void): Promise<TriggerLies> {
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  for (let told = 0; told < count; told += MAX_CORRUPT_ANSWERS) {
    const next = Math.min(MAX_CORRUPT_ANSWERS, count - told);
    const found = await countLoginsByCorruption(next, createPicker(seed + told)).catch((error: unknown) => {
      faults.push(`seed ${seed + told}: ${error instanceof Error ? error.message : String(error)}`);
      return new Map<number, number>();
    });
    for (const [status, times] of found) statuses[status] = (statuses[status] ?? 0) + times;
    tell(`${told + next} of ${count} lies; faults: ${faults.length}`);
  }
  return { lies: count, statuses, faults };
}
