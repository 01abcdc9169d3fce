/** An error in the configuration. */
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

/** Text that looks like a URL with credentials, a query or a fragment, which can each contain a secret. */
const MAY_HOLD_SECRET = /:.*[@?#]/;

/** Formats a wrong value for a message: unchanged, unless it may contain a secret. */
export function formatInvalidValue(value: unknown): string {
  const text = JSON.stringify(value);
  return MAY_HOLD_SECRET.test(text) ? 'the value' : text;
}

/** The configuration is unusable. It contains every problem, and no secret. */
export class ConfigurationError extends Error {
  readonly problems: readonly InvalidSetting[];

  constructor(problems: readonly InvalidSetting[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}
