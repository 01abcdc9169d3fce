/** A computation that can rest between its exponentiations: each step does one at most. A generator is one. */
export interface Steps<Outcome> {
  next(): IteratorResult<void, Outcome>;
}

/** A computation without a rest. */
export function inOneStep<Outcome>(compute: () => Outcome): Steps<Outcome> {
  return { next: () => ({ done: true, value: compute() }) };
}

/** Runs all steps at once. */
export function runSteps<Outcome>(steps: Steps<Outcome>): Outcome {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
