import type { Place } from './source-node.ts';

/** A problem of a file. */
export interface SourceProblem {
  readonly place: Place;
  readonly message: string;
}

/** Formats a problem as editors and compilers do, so that it becomes a link. */
function formatSourceProblem({ place: { file, line }, message }: SourceProblem): string {
  return `${file}:${line}: ${message}`;
}

/** Files that are rejected before anything was changed. */
export class SourceProblems extends Error {
  readonly problems: readonly SourceProblem[];

  constructor(problems: readonly SourceProblem[], cause?: unknown) {
    super(problems.map(formatSourceProblem).join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'SourceProblems';
    this.problems = problems;
  }
}

/** Creates an error with one problem. */
export function createSourceProblem(place: Place, message: string, cause?: unknown): SourceProblems {
  return new SourceProblems([{ place, message }], cause);
}
