import { missingParameterError } from '../identity/login-errors.ts';
import type { ParameterMap } from './challenges/challenge.ts';

/** Absent, null and empty mean the same, because some clients send `DEVICE_KEY: null`. */
export function withoutEmptyParameters(
  sent: Readonly<Record<string, string | null | undefined>> | undefined,
): ParameterMap {
  const entries = Object.entries(sent ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries);
}

/** @throws {ProviderError} `InvalidParameterException`: one of them is missing */
export function requireParameters(sent: ParameterMap, names: readonly string[]): void {
  const missing = names.find((name) => !Object.hasOwn(sent, name));
  if (missing !== undefined) throw missingParameterError(missing);
}
