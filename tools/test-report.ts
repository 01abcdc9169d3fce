/** What the test command prints: a line for each file while it runs, and at the end what failed, and how to run that again. */
import type { Counts, Failure, FileEnd } from './test-results.ts';
import type { Outcome } from './test-run.ts';

/** Of what a failed file printed, the last lines are shown. */
const LINES_OF_A_FILE = 60;

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ');
const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The line of a file that ended. */
export function formatFileLine({ file, tests, failed, milliseconds }: FileEnd, setting: string): string {
  const mark = failed > 0 ? '✖' : '✔';
  const failures = tests > 0 ? `${failed} failed of ${formatCount(tests, 'test')}` : 'ended before its tests did';
  const result = failed > 0 ? failures : formatCount(tests, 'test');
  return `${mark} ${file}${setting === '' ? '' : ` (${setting})`}: ${result}, ${formatSeconds(milliseconds)}`;
}

/** Everything about the failures of a pass: what each of them said, then what their files printed. */
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

/** The names of what failed, by file, and the command that runs these files again. */
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

/** The closing lines, as the test runner of Node writes them. */
export function formatCounts(counts: Counts, milliseconds: number): string {
  const rows = [...Object.entries(counts), ['duration_ms', Math.round(milliseconds)]];
  return rows.map(([name, count]) => `ℹ ${name} ${count}`).join('\n');
}
