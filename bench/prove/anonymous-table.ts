import type { AnonymousBytes, RequestBytes } from '../../e2e/proofs/anonymous-bytes.ts';

/** The figures as a table in Markdown. */
export function formatTable(name: string, { requests, hourRecords }: AnonymousBytes): string {
  const ages = Object.keys(requests[0]?.left ?? {}) as (keyof RequestBytes['left'])[];
  const lines = requests.map(({ request, statuses, rows, bytes, storage, left }) => {
    const made = Object.entries(rows).map(([table, count]) => `${table} ${Number(count.toFixed(2))}`);
    const cells = [request, statuses.join(' '), made.join(', ') || '–', bytes.toFixed(0), storage.toFixed(0)];
    return `| ${[...cells, ...ages.map((age) => left[age].toFixed(0))].join(' | ')} |`;
  });
  return [
    `### ${name}`,
    '',
    `| Request | Status | Rows | Bytes | Storage | ${ages.map((age) => `after ${age}`).join(' | ')} |`,
    `|${'---|'.repeat(5 + ages.length)}`,
    ...lines,
    '',
    `All failures together: ${hourRecords.rows} records of hours, ${hourRecords.bytes} bytes.`,
  ].join('\n');
}
