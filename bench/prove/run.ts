/**
 * The long proofs: `npm run prove -- <name>`; without a name it lists them. Prints a figure, writes a dated summary below results/, and
 * exits with 1 if the claim does not hold.
 */
import { describeMachine } from '../rig/cores.ts';
import { writeSummary } from '../rig/summary.ts';
import { PROOFS } from './proofs.ts';

const MAX_FAULTS_SHOWN = 20;

const [name = '', ...words] = process.argv.slice(2);
const proof = Object.hasOwn(PROOFS, name) ? PROOFS[name] : undefined;

if (proof === undefined) {
  for (const [known, { claim }] of Object.entries(PROOFS)) console.log(`${known.padEnd(16)}${claim}`);
  process.exitCode = 2;
} else if (words.includes('--help') && proof.help !== undefined) {
  console.log(proof.help);
} else {
  const began = performance.now();
  const { figure, faults } = await proof.run((line) => console.error(line), words);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const verdict = faults.length === 0 ? 'holds' : 'DOES NOT HOLD';
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).map((fault) => `- ${fault}\n`);
  const markdown = [
    `${proof.claim}\n\n**${verdict}**: ${figure}\n\n`,
    `${seconds} s on ${describeMachine()}.\n`,
    shown.length === 0 ? '' : `\nWhat contradicts it:\n\n${shown.join('')}`,
  ].join('');
  console.log(markdown);
  const file = writeSummary(new URL('./results/', import.meta.url), name, `Proof ${name}`, markdown);
  console.log(`Kept as bench/prove/results/${file}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
