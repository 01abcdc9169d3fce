import { compilePattern } from './pattern.ts';
import type { Shape } from './service-model.ts';

/** A constraint of a shape. */
export interface Constraint<Value> {
  /** The constraint in Cognito's words, such as `Member must have length less than or equal to 128`. */
  readonly text: string;
  isSatisfiedBy(value: Value): boolean;
}

/** The constraints on a string, in Cognito's order. */
export function listStringConstraints(shape: Shape): readonly Constraint<string>[] {
  return [
    ...createPatternConstraints(shape),
    ...createBoundConstraints(shape, 'length', fitsMax, fitsMin),
    ...createEnumConstraints(shape),
  ];
}

/** The constraints on the number of items of a list or entries of a map. */
export function listSizeConstraints(shape: Shape): readonly Constraint<number>[] {
  return createBoundConstraints(shape, 'length', atMost, atLeast);
}

/** The constraints on a number. */
export function listValueConstraints(shape: Shape): readonly Constraint<number>[] {
  return createBoundConstraints(shape, 'value', atMost, atLeast);
}

type Compare<Value> = (value: Value, bound: number) => boolean;

const atMost: Compare<number> = (value, max) => value <= max;
const atLeast: Compare<number> = (value, min) => value >= min;

// Lengths count code points. A text has at most as many as UTF-16 units, and at least half as many, so most texts need no counting.
const fitsMax: Compare<string> = (text, max) =>
  text.length <= max || (text.length <= 2 * max && countCodePoints(text) <= max);
const fitsMin: Compare<string> = (text, min) =>
  text.length >= 2 * min || (text.length >= min && countCodePoints(text) >= min);

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function createBoundConstraints<Value>(
  { min, max }: Shape,
  noun: 'length' | 'value',
  isAtMost: Compare<Value>,
  isAtLeast: Compare<Value>,
): readonly Constraint<Value>[] {
  const constraints: Constraint<Value>[] = [];
  if (max !== undefined) {
    const text = `Member must have ${noun} less than or equal to ${max}`;
    constraints.push({ text, isSatisfiedBy: (value) => isAtMost(value, max) });
  }
  if (min !== undefined) {
    const text = `Member must have ${noun} greater than or equal to ${min}`;
    constraints.push({ text, isSatisfiedBy: (value) => isAtLeast(value, min) });
  }
  return constraints;
}

function createPatternConstraints({ pattern, max }: Shape): readonly Constraint<string>[] {
  if (pattern === undefined) return [];
  const expression = compilePattern(pattern);
  // The time of some patterns grows with the square of the length, so a text that is too long is not matched.
  const longest = max === undefined ? Number.POSITIVE_INFINITY : 2 * max;
  const isSatisfiedBy = (value: string) => value.length > longest || expression.test(value);
  return [{ text: `Member must satisfy regular expression pattern: ${pattern}`, isSatisfiedBy }];
}

function createEnumConstraints({ enum: values }: Shape): readonly Constraint<string>[] {
  if (values === undefined) return [];
  const allowed: ReadonlySet<string> = new Set(values);
  const text = `Member must satisfy enum value set: [${values.join(', ')}]`;
  return [{ text, isSatisfiedBy: (value) => allowed.has(value) }];
}
