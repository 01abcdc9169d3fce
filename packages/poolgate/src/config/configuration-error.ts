/** One thing that is wrong with the configuration. */
export interface InvalidSetting {
  /** The key as the operator wrote it. */
  readonly name: string;
  readonly problem: string;
  readonly allowed: string;
}

/** One line for people. */
export function formatProblem(problem: InvalidSetting): string {
  return `${problem.name}: ${problem.problem}; allowed: ${problem.allowed}`;
}

/** What looks like a URL with credentials, a query or a fragment: a password or a key can stand in each. */
const MAY_HOLD_SECRET = /:.*[@?#]/;

/** A wrong value as a problem repeats it: as it is, unless a secret may be in it. */
export function formatInvalidValue(value: unknown): string {
  const text = JSON.stringify(value);
  return MAY_HOLD_SECRET.test(text) ? 'the value' : text;
}

/** The configuration cannot be used. Holds every problem, and no secret. */
export class ConfigurationError extends Error {
  readonly problems: readonly InvalidSetting[];

  constructor(problems: readonly InvalidSetting[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}
