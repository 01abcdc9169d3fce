import { unrecognizableAnswer } from './trigger-errors.ts';

/** The `response` of an answer, of which nothing is known yet. */
export type TriggerAnswer = Readonly<Record<string, unknown>>;

/** An object that is no list, or a refusal. */
export function objectIn(value: unknown): TriggerAnswer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unrecognizableAnswer();
  return value as TriggerAnswer;
}

/** Absent and null are one in what functions answer. */
export function optionalIn<Value>(value: unknown, read: (given: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

/** A boolean; absent is false. */
export function booleanIn(value: unknown): boolean {
  const given = value ?? false;
  if (typeof given !== 'boolean') throw unrecognizableAnswer();
  return given;
}

/** A text, whatever its length. */
export function textIn(value: unknown): string {
  if (typeof value !== 'string' || !value.isWellFormed()) throw unrecognizableAnswer();
  return value;
}

/** A list of texts. */
export function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw unrecognizableAnswer();
  return value.map(textIn);
}

/** An object whose values are all texts; a value that is null is not there. */
export function textMapIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(objectIn(value)).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, textIn(one)]));
}
