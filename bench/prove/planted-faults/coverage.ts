import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The executed code: offsets in the source, in UTF-16 code units, ends exclusive, sorted. */
export type ExecutedRanges = readonly (readonly [from: number, to: number])[];

/** The code of each source that a test executed, by its path relative to the tree, with `/`. */
export type Coverage = Readonly<Record<string, ExecutedRanges>>;

/** V8's file format (https://nodejs.org/api/cli.html#node_v8_coveragedir). */
interface Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Reads the coverage of one test's processes from a folder. Types are replaced with spaces, so offsets are those of the source. */
export function readCoverage(root: string, folder: string): Coverage {
  const home = pathToFileURL(join(root, 'packages/')).href;
  const ran: Record<string, ExecutedRanges> = {};
  for (const name of readdirSync(folder)) {
    const { result }: Report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      if (!url.startsWith(home) || url.includes('/node_modules/')) continue;
      const file = `packages/${url.slice(home.length)}`;
      ran[file] = [...(ran[file] ?? []), ...listExecutedRanges(functions.flatMap(({ ranges }) => ranges))];
    }
  }
  return ran;
}

/** Whether a test executed the code at an offset. */
export function hasRun(coverage: Coverage, file: string, offset: number): boolean {
  return coverage[file]?.some(([from, to]) => from <= offset && offset < to) ?? false;
}

/** The innermost range decides whether a position was executed. */
function listExecutedRanges(ranges: readonly Range[]): ExecutedRanges {
  const edges = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))].toSorted(
    (a, b) => a - b,
  );
  const inside = ranges.toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
  const parts: [number, number][] = [];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = edges[index + 1] ?? from;
    const innermost = inside.find(({ startOffset, endOffset }) => startOffset <= from && to <= endOffset);
    if (innermost === undefined || innermost.count === 0) continue;
    const last = parts.at(-1);
    if (last?.[1] === from) last[1] = to;
    else parts.push([from, to]);
  }
  return parts;
}
