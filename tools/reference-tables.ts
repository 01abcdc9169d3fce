import { EVENT_TYPES } from '@poolgate/provider';
import { PASSKEY_REFUSALS } from '../packages/pool/src/index.ts';
import { METRICS } from '../packages/poolgate/src/observability/metric-table.ts';
import type { GeneratedFile } from './generated-files.ts';
import { replaceTables } from './page-table.ts';

const formatRow = (name: string, ...cells: readonly string[]): string => `| \`${name}\` | ${cells.join(' | ')} |`;

const formatLabels = (labels: readonly string[]): string =>
  labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', ');

/** Generates tables of the pages on monitoring, the log and events from the tables of the program. */
export function generateReferenceTables(): readonly GeneratedFile[] {
  return [
    replaceTables('docs/reference/monitoring.md', [
      {
        header: '| Metric | Labels | Meaning |',
        rows: Object.entries(METRICS).map(([name, { labels, help }]) => formatRow(name, formatLabels(labels), help)),
      },
    ]),
    replaceTables('docs/reference/log.md', [
      {
        header: '| `reason` | Meaning |',
        rows: Object.entries(PASSKEY_REFUSALS).map(([code, meaning]) => formatRow(code, meaning)),
      },
    ]),
    replaceTables('docs/reference/events.md', [
      {
        header: '| Type | Meaning |',
        rows: Object.entries(EVENT_TYPES).map(([type, meaning]) => formatRow(type, meaning)),
      },
    ]),
  ];
}
