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

/** The configuration cannot be used. Holds every fault, and no secret. */
export class ConfigurationError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'));
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}
