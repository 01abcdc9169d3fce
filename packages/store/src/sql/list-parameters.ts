import type { Expression } from 'kysely';
import { type Placeholders, requirePlaceholder } from './placeholder.ts';

/** A list of texts as a statement's parameters, one for each. */
export type ListParameters = Readonly<Record<`item${number}`, string>>;

/** Converts texts to parameters. */
export function toListParameters(texts: readonly string[]): ListParameters {
  const parameters: Record<`item${number}`, string> = {};
  for (const [index, text] of texts.entries()) parameters[`item${index}`] = text;
  return parameters;
}

/** The placeholders of `count` texts in a statement. */
export function createListPlaceholders(
  parameters: Placeholders<ListParameters>,
  count: number,
): readonly Expression<string>[] {
  return Array.from({ length: count }, (_, index) => requirePlaceholder(parameters, `item${index}`));
}

/** Caches a function by its key, for example a statement for each number of texts. */
export function memoizeByKey<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
