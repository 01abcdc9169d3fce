import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { URI } from 'otpauth';
import { type Block, CLONED, createClone, ROOT, readBlocks, runCommands } from '../support/guides/clone.ts';
import { type ServiceProcess, startServiceProcess } from '../support/services/service-process.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Commands that this test does not run: they start a second service, or every test. */
const NOT_HERE = [/^npm ci && npm start$/, /^npm ci && npm test$/];

/** The blocks that a reader runs in a shell, in order. */
const RUN = readBlocks('README.md').filter(
  ({ language, code }) =>
    language === 'js' || (language === 'sh' && !NOT_HERE.some((pattern) => pattern.test(code.trim()))),
);

/** Runs the blocks in one shell, types codes when a block prompts for them, and returns the output of each block. */
function runAll(blocks: readonly Block[], { url }: ServiceProcess, folder: string): Promise<readonly string[]> {
  const commands = blocks.map(({ language, code }) => {
    const own = code.replaceAll('http://localhost:3000', url);
    return language === 'sh'
      ? own
      : `npm run --silent node -- --input-type=module --eval '${own.replaceAll("'", `'\\''`)}'`;
  });
  // The second code is that of the next half minute. It is valid early, because clocks differ.
  const times = [Date.now(), Date.now() + 30_000];
  return runCommands(commands, folder, (printed) => {
    const [uri] = /otpauth:\S+/.exec(printed) ?? [];
    if (uri === undefined) return [];
    const totp = URI.parse(uri);
    return times.slice(0, printed.split('Code: ').length - 1).map((timestamp) => totp.generate({ timestamp }));
  });
}

describe('the README', () => {
  const folder = createClone();
  let service: ServiceProcess;
  let outputs: readonly string[];
  before(async () => {
    service = await startServiceProcess(join(folder, 'data'));
    outputs = await runAll(RUN, service, folder);
  });
  after(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const printed = (section: string): string =>
    RUN.map((block, index) => (block.section === section ? (outputs[index] ?? '') : '')).join('');

  it('runs from top to bottom in one shell', () => {
    assert.ok(RUN.length >= 6);
    assert.equal(outputs.length, RUN.length);
    assert.doesNotMatch(outputs.join(''), /"code":"[a-z_]+"|undefined/);
  });

  it('logs in with curl and lists the sessions of the user', () => {
    const text = printed('Log in with curl');
    assert.match(text, /"sessions":\[\{/);
  });

  it('logs in with amazon-cognito-identity-js in ten lines', () => {
    assert.match(printed('Log in with a Cognito client'), /email: 'demo@poolgate\.test'/);
    const [block] = RUN.filter(({ language }) => language === 'js');
    assert.ok((block?.code.trim().split('\n').length ?? 99) <= 11, 'and an empty one');
  });

  it('sets up an authenticator app and logs in with its code', () => {
    const text = printed('Turn on two-step verification');
    assert.match(text, /^otpauth:\/\/totp\/\S+secret=/m);
    assert.match(text, /"status":"success".*"access_token":"/s);
  });

  it('creates an admin key with one scope, and a user with that key', () => {
    const { user } = JSON.parse(printed('Create users from your backend')) as {
      readonly user: Readonly<Record<string, unknown>>;
    };
    assert.deepEqual([user.email, user.status], ['ada@example.com', 'FORCE_CHANGE_PASSWORD']);
  });

  it('leaves only files that Git ignores', () => {
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
    const left = readdirSync(folder).filter((name) => !CLONED.includes(name));
    assert.ok(left.includes('data'), left.join());
    assert.deepEqual(
      left.filter((name) => !ignored.includes(`/${name}/`)),
      [],
    );
  });

  it('has no broken links', () => {
    const links = [...README.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 8);
    const missing = links.filter((link) => !link.startsWith('http') && !existsSync(join(ROOT, link)));
    assert.deepEqual(missing, []);
  });

  it('names only commands of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const named = [...README.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    for (const name of ['start', 'test', ...named]) assert.ok(scripts[name], name);
  });
});
