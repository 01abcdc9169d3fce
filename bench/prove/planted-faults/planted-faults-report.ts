import type { ProofResult } from '../proof.ts';
import { ACCEPTED_FAULTS } from './accepted-faults.ts';
import type { Detection } from './detection.ts';
import type { Fault } from './draw-faults.ts';

/** A fault and the test that detected it. */
export interface Row {
  readonly number: number;
  readonly fault: Fault;
  readonly sighting: Detection;
}

/** The percentage of faults that the package's own tests must detect. */
const LEAST_PERCENT = 90;

/** Formats the figure, the tables, and what contradicts the claim. */
export function formatReport(rows: readonly Row[], seed: number): ProofResult {
  const unseen = rows.filter(({ sighting }) => sighting.seenBy !== 'package');
  const unargued = unseen.filter(({ fault }) => findArgument(fault) === undefined);
  const percent = (100 * (rows.length - unseen.length)) / rows.length;
  const few = percent < LEAST_PERCENT ? [`only ${percent.toFixed(1)} % were seen by the package itself`] : [];
  const by = (seenBy: Detection['seenBy']): number => rows.filter(({ sighting }) => sighting.seenBy === seenBy).length;
  const counts = `${by('package')} seen by the package itself (${percent.toFixed(1)} %), ${by('rest')} by the rest, ${by('nobody')} by nobody; of those not seen by the package ${unseen.length - unargued.length} are argued`;
  const figure = [
    `${rows.length} faults drawn by seed ${seed}: ${counts}.`,
    tally('area', rows, ({ fault }) => fault.area),
    tally('rule', rows, ({ fault }) => fault.rule),
    formatTable(rows),
  ].join('\n\n');
  return { figure, faults: [...few, ...unargued.map(({ number, fault }) => `${number}. ${formatPlace(fault)}`)] };
}

function tally(title: string, rows: readonly Row[], nameOf: (row: Row) => string): string {
  const groups = Object.entries(Object.groupBy(rows, nameOf));
  const lines = groups.map(([name, group = []]) => {
    const seen = (seenBy: Detection['seenBy']): number =>
      group.filter(({ sighting }) => sighting.seenBy === seenBy).length;
    return `| ${name} | ${group.length} | ${seen('package')} | ${seen('rest')} | ${seen('nobody')} |`;
  });
  return [`| ${title} | faults | the package | the rest | nobody |`, '|---|---|---|---|---|', ...lines].join('\n');
}

function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ number, fault, sighting }) => {
    const change = `${formatCode(fault.before)} → ${formatCode(fault.after)}`;
    return `| ${number} | ${fault.area} | ${fault.rule} | ${formatPlace(fault)} | ${change} | ${formatDetection(fault, sighting)} |`;
  });
  return ['| | area | rule | place | change | seen by |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

function formatDetection(fault: Fault, { seenBy, test, by, ran, ranRest }: Detection): string {
  if (seenBy === 'package') return formatCell(`${test}: ${by}`);
  const tried = `in ${ran.join(' of ')} tests of the package`;
  const others = ranRest[0] === 0 ? 'no other was run' : `nor in ${ranRest.join(' of ')} others`;
  const rest = seenBy === 'rest' ? formatCell(`${test}: ${by}`) : others;
  const why = findArgument(fault);
  return `**not seen** ${tried}; ${rest}${why === undefined ? '' : `; ${why}`}`;
}

function findArgument({ file, after }: Fault): string | undefined {
  return ACCEPTED_FAULTS.find((argument) => argument.file === file && argument.after === after)?.why;
}

/** Formats the location of a fault. */
export function formatPlace({ file, line }: Fault): string {
  return `${file}:${line}`;
}

function formatCode(text: string): string {
  return formatCell(`\`${text.replaceAll('`', '´')}\``);
}

function formatCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
