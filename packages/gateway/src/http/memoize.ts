/** Caches the last result of a function. */
export function memoizeLast<Question, Answer>(answer: (question: Question) => Answer): (question: Question) => Answer {
  let last: { readonly question: Question; readonly answer: Answer } | undefined;
  return (question) => {
    if (last === undefined || last.question !== question) last = { question, answer: answer(question) };
    return last.answer;
  };
}

/** Caches a function's result for each object, while the object exists. */
export function memoizeObjects<Answer>(answer: (question: object) => Answer): (question: unknown) => Answer {
  const answers = new WeakMap<object, Answer>();
  return (question) => {
    const asked = question as object;
    const known = answers.get(asked);
    if (known !== undefined) return known;
    const made = answer(asked);
    answers.set(asked, made);
    return made;
  };
}
