import type { Place } from './source-node.ts';

/** What is wrong with a file. */
export interface SourceProblem {
  readonly place: Place;
  readonly message: string;
}

/** A problem as editors and compilers write it: they make a link of it. */
export function formatSourceProblem({ place: { file, line }, message }: SourceProblem): string {
  return `${file}:${line}: ${message}`;
}

/** Files that are refused before anything was changed. */
export class SourceProblems extends Error {
  readonly problems: readonly SourceProblem[];

  constructor(problems: readonly SourceProblem[], cause?: unknown) {
    super(problems.map(formatSourceProblem).join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'SourceProblems';
    this.problems = problems;
  }
}

/** One problem, as an error. */
export function createSourceProblem(place: Place, message: string, cause?: unknown): SourceProblems {
  return new SourceProblems([{ place, message }], cause);
}
