import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createPublishArguments, listReleaseProblems, toPackageName } from './publish.ts';

const READY = {
  version: '2.0.6',
  tag: 'v2.0.6',
  changed: '',
  changelog: '# Changelog\n\n## 2.0.6\n\n…',
  areNamed: true,
};

test('a release is published from its tag, checked in, and with its section of the changelog', () => {
  assert.deepEqual(listReleaseProblems(READY), []);
  assert.match(listReleaseProblems({ ...READY, tag: undefined }).join(), /tag v2\.0\.6, and carries none/);
  assert.match(listReleaseProblems({ ...READY, tag: 'v2.0.5' }).join(), /carries v2\.0\.5/);
  assert.match(listReleaseProblems({ ...READY, changed: ' M README.md' }).join(), /not checked in/);
  assert.match(listReleaseProblems({ ...READY, areNamed: false }).join(), /install from a clone/);
  assert.match(listReleaseProblems({ ...READY, changelog: '## Unreleased' }).join(), /no section 2\.0\.6/);
});

test('packages are public and attested to; what comes before a release is nobody’s latest', () => {
  assert.deepEqual(createPublishArguments('a.tgz', '2.0.6', false), [
    'publish',
    'a.tgz',
    '--access',
    'public',
    '--provenance',
    '--tag',
    'latest',
  ]);
  assert.ok(createPublishArguments('a.tgz', '2.1.0-beta.1', false).includes('next'));
  assert.ok(createPublishArguments('a.tgz', '2.0.6', true).includes('--dry-run'));
  assert.equal(toPackageName('/tmp/x/poolgate-2.0.6.tgz', '2.0.6'), 'poolgate');
  assert.equal(toPackageName('/tmp/x/poolgate-provider-cognito-2.0.6.tgz', '2.0.6'), '@poolgate/provider-cognito');
});

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}

const workflow = parse(readFileSync(new URL('../.github/workflows/release.yml', import.meta.url), 'utf8')) as Workflow;

test('the workflow of a release may do nothing but what each of its jobs needs, and checks before it publishes', () => {
  assert.deepEqual(workflow.permissions, {});
  assert.deepEqual(workflow.jobs.packages?.permissions, { contents: 'read', 'id-token': 'write' });
  assert.equal(workflow.jobs.packages?.needs, 'check');
  for (const [name, { steps }] of Object.entries(workflow.jobs)) {
    for (const { uses, run } of steps) {
      if (uses !== undefined) assert.match(uses, /^(actions|docker|azure)\/[\w-]+@v\d+$/, name);
      // The event contains untrusted text: it is passed in variables, never inserted into a script.
      if (run !== undefined) assert.doesNotMatch(run, /\$\{\{/, name);
    }
  }
  const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
  for (const command of ['npm run check', 'npm test', 'npm run publish-packages', 'helm template']) {
    assert.ok(
      commands.some((run) => run.includes(command)),
      command,
    );
  }
});

test('no credential of a registry is kept for it: npm takes the identity of the workflow', () => {
  const text = readFileSync(new URL('../.github/workflows/release.yml', import.meta.url), 'utf8');
  assert.doesNotMatch(text, /NPM_TOKEN|NODE_AUTH_TOKEN/);
});
