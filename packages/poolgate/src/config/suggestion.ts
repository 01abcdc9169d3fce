/**
 * The minimum number of edits between two words: a character inserted, removed or replaced, or two neighbors swapped (optimal string
 * alignment).
 */
function countEdits(left: string, right: string): number {
  let before: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    before = previous;
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

const countAllowedEdits = (word: string): number => Math.max(2, Math.floor(word.length / 4));

/**
 * Returns the candidate that a mistyped word most likely means; undefined if none is close.
 * @param most the maximum number of edits
 */
export function findSuggestion(
  word: string,
  candidates: readonly string[],
  most: (candidate: string) => number = () => countAllowedEdits(word),
): string | undefined {
  return candidates
    .map((candidate) => ({ candidate, edits: countEdits(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= most(candidate))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}
