import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findProseProblems } from './prose-check.ts';
import { MOST_WORDS } from './prose-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'prose-'));
after(() => rmSync(folder, { recursive: true }));

const findWords = (file: string, content: string): readonly string[] =>
  findProseProblems(file, content).map(({ line, found }) => `${line} ${found}`);

test('words and spellings are found in Markdown with their lines, in tables and lists too', () => {
  const page = '# Nobody\n\nA line\nabout e-mail.\n\n| a | b |\n|---|---|\n| c | a colour |\n\n- whoever asks\n';
  assert.deepEqual(findWords('a.md', page), ['1 Nobody', '4 e-mail', '8 colour', '10 whoever']);
});

test('code is no prose', () => {
  assert.deepEqual(findWords('a.md', 'Set `user name`.\n\n    nobody\n\n```\nsomebody\n```\n'), []);
});

test('a sentence is too long by its words, not those of its neighbors', () => {
  const sentence = (words: number): string => `${Array.from({ length: words }, () => 'word').join(' ')}.`;
  assert.deepEqual(findProseProblems('a.md', `W${sentence(MOST_WORDS)} W${sentence(MOST_WORDS)}`), []);
  assert.match(findProseProblems('a.md', `A ${sentence(MOST_WORDS)}`)[0]?.advice ?? '', /^31 words/);
});

test('comments and sentences in strings are read, other strings are not', () => {
  const source = [
    '/**',
    ' * Tells nobody.',
    ' * @param id that somebody has',
    ' */',
    '// One comment, in place',
    '// of two.',
    "export const a = 'nobody';",
    "export const b = 'There is nobody that we know.';",
    'export const c = `The value PART of PART is thereby not right.`;'.replaceAll('PART', `$\{a}`),
    "export const d = 'SELECT id FROM nobody WHERE a = b';",
  ].join('\n');
  assert.deepEqual(findWords('a.ts', source), ['2 nobody', '3 somebody', '5 in place of', '8 nobody', '9 thereby']);
});

test('the command fails with the file, the line and the advice', () => {
  const file = join(folder, 'page.md');
  writeFileSync(file, 'Good.\n\nSend an e-mail.\n');
  const run = (): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'prose.ts'), file], { encoding: 'utf8' });
  const failed = run();
  assert.equal(failed.status, 1);
  assert.match(String(failed.stdout), /page\.md:3: "e-mail": "email"/);
  writeFileSync(file, 'Good.\n');
  assert.equal(run().status, 0);
});
