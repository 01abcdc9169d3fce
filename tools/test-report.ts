/** The output of the test command: a line for each file while it runs, and at the end the failures and the command that runs them again. */
import type { Counts, Failure, FileEnd } from './test-results.ts';
import type { Outcome } from './test-run.ts';

/** For a failed file, the report shows this many last lines of its output. */
const LINES_OF_A_FILE = 60;

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ');
const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Formats the line of a file that ended. */
export function formatFileLine({ file, tests, failed, milliseconds }: FileEnd, setting: string): string {
  const mark = failed > 0 ? '✖' : '✔';
  const failures = tests > 0 ? `${failed} failed of ${formatCount(tests, 'test')}` : 'ended before its tests did';
  const result = failed > 0 ? failures : formatCount(tests, 'test');
  return `${mark} ${file}${setting === '' ? '' : ` (${setting})`}: ${result}, ${formatSeconds(milliseconds)}`;
}

/** Formats all failures of a pass: first their messages, then the output of their files. */
export function formatFailures({ failures, printed }: Outcome): string {
  const said = failures.map(({ place, name, detail }) => `✖ ${name}\n  at ${place}\n${indent(detail)}\n`);
  const files = new Set(failures.map(({ file }) => file));
  const noise = [...printed].flatMap(([file, text]) => {
    const lines = text.trimEnd().split('\n');
    if (!files.has(file) || text.trim() === '') return [];
    const left = lines.length - LINES_OF_A_FILE;
    const cut = left > 0 ? [`… ${formatCount(left, 'line')} before`] : [];
    return [`${file} printed:\n${indent([...cut, ...lines.slice(-LINES_OF_A_FILE)].join('\n'))}\n`];
  });
  return [...said, ...noise].join('\n');
}

/** Formats the names of the failures, by file, and the command that runs these files again. */
export function formatFailedFiles(failures: readonly Failure[], variables: string): string {
  const files = [...new Set(failures.map(({ file }) => file))].toSorted();
  const names = files.flatMap((file) => [
    `  ${file}`,
    ...failures.filter((failure) => failure.file === file).map(({ name }) => `    ✖ ${name}`),
  ]);
  return [
    `${formatCount(failures.length, 'test')} failed:`,
    ...names,
    `Run again: ${variables}npm test -- ${files.join(' ')}`,
  ].join('\n');
}

/** Formats the closing lines like Node's test runner. */
export function formatCounts(counts: Counts, milliseconds: number): string {
  const rows = [...Object.entries(counts), ['duration_ms', Math.round(milliseconds)]];
  return rows.map(([name, count]) => `ℹ ${name} ${count}`).join('\n');
}
