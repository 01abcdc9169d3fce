import type { ContenderRounds } from './run-scenarios.ts';
import { type Goal, type Median, type Metric, PACE_CORRECTIONS, type Scenario } from './scenario.ts';
import { findMedian } from './statistics.ts';
import { isNoisy, type Round } from './undisturbed-round.ts';

/** The results, and whether every goal was reached. */
export interface Report {
  readonly markdown: string;
  /** Only the ratios. */
  readonly ratios: string;
  readonly missed: number;
}

/** Creates tables of medians, and every ratio with its goal. */
export function createReport(measured: readonly ContenderRounds[], facts: readonly string[]): Report {
  const scenarios = [...new Set(measured.map(({ scenario }) => scenario))];
  const goals = scenarios.flatMap((scenario) =>
    scenario.goals.map((goal) => ({ scenario, goal, ratio: goal.ratio(computeMedians(measured, scenario)) })),
  );
  const rows = goals.map(({ scenario, goal, ratio }) => [
    scenario.name,
    goal.text,
    ratio.toFixed(2),
    formatBound(goal),
    isReached(goal, ratio) ? 'reached' : 'MISSED',
  ]);
  const ratios = formatTable(['scenario', 'ratio of medians', 'measured', 'goal', ''], rows);
  const parts = [
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...scenarios.map((scenario) => formatScenario(measured, scenario)),
    `## Goals\n\n${ratios}`,
  ];
  const missed = goals.filter(({ goal, ratio }) => !isReached(goal, ratio)).length;
  return { markdown: `${parts.join('\n\n')}\n`, ratios, missed };
}

/** Formats a scenario's table, followed by how its contenders differ from Poolgate. */
function formatScenario(measured: readonly ContenderRounds[], scenario: Scenario): string {
  const notes = scenario.contenders.flatMap(({ name, note }) => (note === undefined ? [] : [`- ${name}: ${note}`]));
  return [
    `## ${scenario.title}`,
    formatScenarioTable(measured, scenario),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}

function computeMedians(measured: readonly ContenderRounds[], scenario: Scenario): Median {
  return (contender, metric) => {
    const found = measured.find((each) => each.scenario === scenario && each.contender.name === contender);
    return computeMedian(found, metric);
  };
}

/** NaN if the contender has no such metric, so that its goal is missed. */
function computeMedian(measured: ContenderRounds | undefined, key: string): number {
  const metric = measured?.scenario.metrics.find((each) => each.key === key);
  const values =
    measured?.rounds.flatMap((round) => (key in round.sample ? [applyPaceCorrection(round, key, metric)] : [])) ?? [];
  return values.length === 0 ? Number.NaN : findMedian(values);
}

function applyPaceCorrection({ sample, paceMs }: Round, key: string, metric: Metric | undefined): number {
  const value = sample[key] as number;
  return metric?.follows === undefined ? value : PACE_CORRECTIONS[metric.follows](value, paceMs);
}

function formatScenarioTable(measured: readonly ContenderRounds[], scenario: Scenario): string {
  const rows = measured
    .filter((each) => each.scenario === scenario)
    .map((each) => [
      each.contender.name,
      ...scenario.metrics.map(({ key, digits }) => formatNumber(computeMedian(each, key), digits)),
      `${(100 * findMedian(each.rounds.map(({ foreignShare }) => foreignShare))).toFixed(0)} %`,
      findMedian(each.rounds.map(({ paceMs }) => paceMs)).toFixed(2),
      `${each.rounds.filter(isNoisy).length} of ${each.rounds.length}`,
    ]);
  return formatTable(
    ['', ...scenario.metrics.map(({ heading }) => heading), 'foreign CPU', 'pace', 'noisy rounds'],
    rows,
  );
}

function formatNumber(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function isReached({ bound }: Goal, ratio: number): boolean {
  return 'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;
}

function formatBound({ bound }: Goal): string {
  return 'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
}

/** Formats a Markdown table that is readable as plain text. */
function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, i) => Math.max(3, heading.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}
