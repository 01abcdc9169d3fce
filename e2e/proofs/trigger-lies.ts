import { createPicker } from '../support/requests/picker.ts';
import { countLoginsByCorruption, MAX_CORRUPT_ANSWERS } from '../support/triggers/corrupt-trigger.ts';

/** The results of many corrupt replies. */
interface TriggerLies {
  readonly lies: number;
  /** The number of logins by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Corrupt replies that the service did not handle, each with its seed. */
  readonly faults: readonly string[];
}

/** Makes the pre-token function return the given number of corrupt replies, in consecutive services with separate seeds. */
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
