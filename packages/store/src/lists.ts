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

/** Makes a statement for each number of texts that was asked for, once. */
export function statementByCount<Made>(make: (count: number) => Made): (count: number) => Made {
  const made = new Map<number, Made>();
  return (count) => {
    const known = made.get(count) ?? make(count);
    made.set(count, known);
    return known;
  };
}
