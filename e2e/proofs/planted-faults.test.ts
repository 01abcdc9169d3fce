import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { drawFaults, type Fault } from '../../bench/prove/planted-faults/draw.ts';
import { importGraph } from '../../bench/prove/planted-faults/import-graph.ts';
import { mutationsOf, RULE_NAMES, withFault } from '../../bench/prove/planted-faults/mutations.ts';
import { readOptions } from '../../bench/prove/planted-faults/options.ts';
import { plant } from '../../bench/prove/planted-faults/plant.ts';
import { copyTree } from '../../bench/prove/planted-faults/scratch-tree.ts';
import type { Sighting, SoundRun } from '../../bench/prove/planted-faults/sighting.ts';

/** Two packages: a test beside its source, one that runs nothing of it, one of the other package that looks, and one that always fails. */
const TREE: Readonly<Record<string, string>> = {
  'packages/one/package.json': '{"name": "@small/one", "type": "module", "exports": {".": "./src/index.ts"}}',
  'packages/one/src/index.ts': "export { half } from './half.ts';\n",
  'packages/one/src/half.ts':
    'export function half(of: number): number {\n  if (of < 0) return 0;\n  return of / 2;\n}\n',
  'packages/one/src/half.test.ts':
    "import { equal } from 'node:assert/strict';\nimport { half } from './half.ts';\nequal(half(4), 2);\n",
  'packages/one/src/idle.test.ts': "import { half } from './half.ts';\nif (typeof half === 'string') half(2);\n",
  'packages/one/src/over.ts': 'export const isOver = (count: number, most: number): boolean => count > most;\n',
  'packages/one/src/over.test.ts':
    "import { equal } from 'node:assert/strict';\nimport { it } from 'node:test';\nimport { isOver } from './over.ts';\nit('looks', () => {});\nit('is not over', () => equal(isOver(2, 2), false));\n",
  'packages/one/src/broken.test.ts': "import './over.ts';\nthrow new Error('always');\n",
  'packages/two/package.json': '{"name": "@small/two", "type": "module"}',
  'packages/two/src/half.test.ts':
    "import { equal } from 'node:assert/strict';\nimport { it } from 'node:test';\nimport { half } from '@small/one';\nit('has no half of a debt', () => equal(half(-2), 0));\n",
};

const AREAS = { all: ['packages/*/src/*.ts'] };

const SOURCE = `async function add(rows: number, most: 3): Promise<void> {
  if (rows >= 10 && rows !== most) throw new RangeError('many');
  await put(rows, 1 as number, ...[]);
  log(Math.max(rows, 2));
}
`;

function written(source: string): readonly string[] {
  return mutationsOf('add.ts', source).map((mutation) => {
    const lines = withFault(source, mutation).split('\n');
    const changed = lines.filter((line, index) => line !== source.split('\n')[index]);
    return `${mutation.rule}: ${changed.map((line) => line.trim()).join(' ')}`;
  });
}

describe('planted faults', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'poolgate-small-'));
    for (const [file, text] of Object.entries(TREE)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    mkdirSync(join(root, 'node_modules/@small'), { recursive: true });
    symlinkSync('../../packages/one', join(root, 'node_modules/@small/one'));
  });
  after(() => rmSync(root, { recursive: true }));

  it('are what the rules make of a source, and nothing of its types', () => {
    assert.deepEqual(written(SOURCE), [
      "a comparison turned: if (rows > 10 && rows !== most) throw new RangeError('many');",
      "a comparison turned: if (rows < 10 && rows !== most) throw new RangeError('many');",
      "a comparison turned: if (rows >= 10 && rows === most) throw new RangeError('many');",
      "a condition dropped: if (false) throw new RangeError('many');",
      "a condition dropped: if ((rows >= 10)) throw new RangeError('many');",
      "a condition dropped: if ((rows !== most)) throw new RangeError('many');",
      'an await lost: put(rows, 1 as number, ...[]);',
      "a constant off by one: if (rows >= 11 && rows !== most) throw new RangeError('many');",
      'a constant off by one: await put(rows, 2 as number, ...[]);',
      'a constant off by one: log(Math.max(rows, 3));',
      'an argument swapped: await put(1 as number, rows, ...[]);',
      'an early return: return; await put(rows, 1 as number, ...[]);',
      'an early return: return; log(Math.max(rows, 2));',
    ]);
    for (const rule of RULE_NAMES)
      assert.ok(
        written(SOURCE).some((text) => text.startsWith(rule)),
        rule,
      );
  });

  it('are the same for a seed, others for another one, and never two on a line', () => {
    const drawn = (seed: number) =>
      drawFaults(root, AREAS, seed, 3).map(({ file, line, after }) => ({ file, line, after }));
    assert.deepEqual(drawn(7), drawn(7));
    assert.ok([1, 2, 3, 4, 5].some((seed) => JSON.stringify(drawn(seed)) !== JSON.stringify(drawn(7))));
    const lines = drawn(7).map(({ file, line }) => `${file}:${line}`);
    assert.equal(new Set(lines).size, 3);
  });

  it('are looked for by the tests that reach them, the nearest first', () => {
    const { testsOf } = importGraph(root);
    assert.deepEqual(testsOf('packages/one/src/half.ts'), [
      'packages/one/src/half.test.ts',
      'packages/one/src/idle.test.ts',
      'packages/two/src/half.test.ts',
    ]);
  });

  it('are seen by the package, by the rest or by nobody, in a copy that is as before afterwards', async () => {
    const tree = copyTree(root);
    const runs = new Map<string, SoundRun>();
    const sound = {
      of: (test: string) => runs.get(test),
      keep: (test: string, run: SoundRun) => void runs.set(test, run),
    };
    const look = async (file: string, change: string): Promise<Pick<Sighting, 'seenBy' | 'test' | 'by' | 'ran'>> => {
      const source = TREE[file] ?? '';
      const mutation = mutationsOf(file, source).find((each) => withFault(source, each).includes(change));
      assert.ok(mutation, change);
      const fault: Fault = { ...mutation, area: 'all', file, line: 1, before: '', after: '' };
      const environmentOf = () => ({});
      const most = { package: 9, rest: 9 };
      const how = {
        root: tree.root,
        graph: importGraph(root),
        limitMs: 60_000,
        most,
        environmentOf,
        sound,
        soundUnderWay: new Map(),
      };
      const { seenBy, test = '', by = '', ran } = await plant(how, fault);
      assert.equal(readFileSync(join(tree.root, file), 'utf8'), source);
      return { seenBy, test, by, ran };
    };
    assert.deepEqual(await look('packages/one/src/over.ts', 'count >= most'), {
      seenBy: 'package',
      test: 'packages/one/src/over.test.ts',
      by: 'is not over',
      ran: [1, 2],
    });
    assert.deepEqual(await look('packages/one/src/half.ts', 'if (false)'), {
      seenBy: 'rest',
      test: 'packages/two/src/half.test.ts',
      by: 'has no half of a debt',
      ran: [1, 2],
    });
    const unseen = { seenBy: 'nobody', test: '', by: '', ran: [1, 2] };
    assert.deepEqual(await look('packages/one/src/half.ts', 'of <= 0'), unseen, 'the idle test does not come to it');
    tree.remove();
  });

  it('refuse flags that mean nothing', () => {
    assert.equal(readOptions([]).count, 120);
    assert.deepEqual([...readOptions(['--only', '3,7', '--seed', '5']).only], [3, 7]);
    for (const words of [
      ['--sed', '1'],
      ['--count', 'many'],
      ['--only', '1,x'],
      ['--count', '-1'],
    ]) {
      assert.throws(() => readOptions(words), TypeError, words.join(' '));
    }
  });
});
