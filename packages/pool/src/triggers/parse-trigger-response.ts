import { invalidTriggerResponseError } from './trigger-errors.ts';

/** The unvalidated `response` of a function. */
export type RawTriggerResponse = Readonly<Record<string, unknown>>;

/** An object that is not an array, or an error. */
export function parseObject(value: unknown): RawTriggerResponse {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidTriggerResponseError();
  return value as RawTriggerResponse;
}

/** In functions' responses, absent and null mean the same. */
export function parseOptional<Value>(value: unknown, read: (given: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

/** A boolean; absent means false. */
export function parseBoolean(value: unknown): boolean {
  const given = value ?? false;
  if (typeof given !== 'boolean') throw invalidTriggerResponseError();
  return given;
}

/** A text of any length. */
export function parseText(value: unknown): string {
  if (typeof value !== 'string' || !value.isWellFormed()) throw invalidTriggerResponseError();
  return value;
}

/** A list of texts. */
export function parseTextList(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw invalidTriggerResponseError();
  return value.map(parseText);
}

/** An object with string values only; null values count as absent. */
export function parseTextMap(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(parseObject(value)).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, parseText(one)]));
}
