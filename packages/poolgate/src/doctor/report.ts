import { type CheckRow, worstResult } from './finding.ts';

const width = (words: readonly string[]): number => Math.max(0, ...words.map(({ length }) => length));

/** The rows for people: how it stands, what was looked at, what was found, and below it what to change. */
export function asTable(rows: readonly CheckRow[]): readonly string[] {
  const nameWidth = width(rows.map(({ check }) => check));
  const resultWidth = width(rows.map(({ result }) => result));
  const margin = ' '.repeat(resultWidth + nameWidth + 4);
  return rows.flatMap(({ check, result, finding, advice }) => [
    `${result.padEnd(resultWidth)}  ${check.padEnd(nameWidth)}  ${finding}`,
    ...(advice === undefined ? [] : [`${margin}${advice}`]),
  ]);
}

/** The rows for programs. */
export function asJson(rows: readonly CheckRow[]): string {
  return JSON.stringify({ result: worstResult(rows), checks: rows }, undefined, 2);
}
