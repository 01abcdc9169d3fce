/** A computation that can pause between exponentiations: each step does at most one. A generator has this shape. */
export interface Steps<Outcome> {
  next(): IteratorResult<void, Outcome>;
}

/** Wraps a computation that does not pause. */
export function inOneStep<Outcome>(compute: () => Outcome): Steps<Outcome> {
  return { next: () => ({ done: true, value: compute() }) };
}

/** Runs all steps without pausing. */
export function runSteps<Outcome>(steps: Steps<Outcome>): Outcome {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
