import type { Expression } from 'kysely';
import { type Placeholders, placeholderOf } from './placeholder.ts';

/** A list of texts as parameters of a statement, one for each. */
export type Items = Readonly<Record<`item${number}`, string>>;

/** The texts as parameters. */
export function listParameters(texts: readonly string[]): Items {
  const parameters: Record<`item${number}`, string> = {};
  for (const [index, text] of texts.entries()) parameters[`item${index}`] = text;
  return parameters;
}

/** The places of `count` texts in a statement. */
export function listPlaceholders(parameters: Placeholders<Items>, count: number): readonly Expression<string>[] {
  return Array.from({ length: count }, (_, index) => placeholderOf(parameters, `item${index}`));
}

/** Makes what is asked for by a key once: a statement for each number of texts, or for each column. */
export function madeOnce<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}
