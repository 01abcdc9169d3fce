/** One thing that is wrong with the configuration. */
export interface Fault {
  /** The key as the operator wrote it. */
  readonly name: string;
  readonly problem: string;
  readonly allowed: string;
}

/** One line for people. */
export function faultLine(fault: Fault): string {
  return `${fault.name}: ${fault.problem}; allowed: ${fault.allowed}`;
}

/** What looks like a URL with credentials, a query or a fragment: a password or a key can stand in each. */
const MAY_HOLD_SECRET = /:.*[@?#]/;

/** A wrong value as a fault repeats it: as it is, unless a secret may be in it. */
export function repeatedValue(value: unknown): string {
  const text = JSON.stringify(value);
  return MAY_HOLD_SECRET.test(text) ? 'the value' : text;
}

/** The configuration cannot be used. Holds every fault, and no secret. */
export class ConfigurationError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'));
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}
