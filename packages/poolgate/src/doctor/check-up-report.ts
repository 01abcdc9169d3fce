import { type CheckRow, findWorstResult } from './findings/finding.ts';

const measureWidth = (words: readonly string[]): number => Math.max(0, ...words.map(({ length }) => length));

/** The rows for people: the result, the check, the finding, and the suggested fix below it. */
export function formatTable(rows: readonly CheckRow[]): readonly string[] {
  const nameWidth = measureWidth(rows.map(({ check }) => check));
  const resultWidth = measureWidth(rows.map(({ result }) => result));
  const margin = ' '.repeat(resultWidth + nameWidth + 4);
  return rows.flatMap(({ check, result, finding, advice }) => [
    `${result.padEnd(resultWidth)}  ${check.padEnd(nameWidth)}  ${finding}`,
    ...(advice === undefined ? [] : [`${margin}${advice}`]),
  ]);
}

/** The rows for programs. */
export function formatJson(rows: readonly CheckRow[]): string {
  return JSON.stringify({ result: findWorstResult(rows), checks: rows }, undefined, 2);
}
