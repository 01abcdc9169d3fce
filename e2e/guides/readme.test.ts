import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { URI } from 'otpauth';
import { type ServiceProcess, startServiceProcess } from '../support/services/service-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Commands of the README that this shell does not run: they would start a second service, or every test. */
const NOT_HERE = [/^npm ci && npm start$/, /^npm ci && npm test$/];

/** Code of the README, by section. */
interface Block {
  readonly section: string;
  readonly language: string;
  readonly code: string;
}

const BLOCKS: readonly Block[] = README.split(/^#{2,3} /m).flatMap((part) => {
  const [section = ''] = part.split('\n');
  const pieces = [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return pieces.map(([, language = '', code = '']) => ({ section, language, code }));
});

/** The blocks that a reader runs in a shell, in order. */
const RUN = BLOCKS.filter(
  ({ language, code }) =>
    language === 'js' || (language === 'sh' && !NOT_HERE.some((pattern) => pattern.test(code.trim()))),
);

const MARK = '----- end of a block -----';

const CLONED = ['node_modules', 'packages', 'tools', 'examples', 'package.json'];

/** Returns a folder that looks like the clone; files written there stay outside of it. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-readme-'));
  for (const name of CLONED) {
    if (name === 'package.json') copyFileSync(join(ROOT, name), join(folder, name));
    else symlinkSync(join(ROOT, name), join(folder, name));
  }
  mkdirSync(join(folder, 'data'));
  return folder;
}

/** Runs the blocks in one shell, types codes when it asks for them, and returns the output of each block. */
async function runAll(blocks: readonly Block[], { url }: ServiceProcess, folder: string): Promise<readonly string[]> {
  const script = blocks.map(({ language, code }) => {
    const own = code.replaceAll('http://localhost:3000', url);
    const words =
      language === 'sh'
        ? own
        : `npm run --silent node -- --input-type=module --eval '${own.replaceAll("'", `'\\''`)}'\n`;
    return `${words}\necho; echo '${MARK}'\n`;
  });
  const { npm_lifecycle_event: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(POOLGATE|IDP)_/.test(name)));
  const shell = spawn('sh', ['-e', '-c', script.join('')], {
    cwd: folder,
    env: { ...own, POOLGATE_DATA_DIR: join(folder, 'data') },
    stdio: 'pipe',
  });
  let printed = '';
  let problems = '';
  let typed = 0;
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    problems += text;
  });
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const [uri] = /otpauth:\S+/.exec(printed) ?? [];
    for (; uri !== undefined && typed < printed.split('Code: ').length - 1; typed += 1) {
      const totp = URI.parse(uri);
      // The second code is that of the next half minute, which is valid early because clocks differ.
      shell.stdin.write(`${totp.generate({ timestamp: Date.now() + typed * 30_000 })}\n`);
    }
  });
  const code = await new Promise((resolve) => shell.once('close', resolve));
  assert.equal(code, 0, `${printed}\n${problems}`);
  return printed.split(`${MARK}\n`).slice(0, -1);
}

describe('the README', () => {
  const folder = clone();
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

  it('works from top to bottom in one shell', () => {
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

  it('sets an authenticator up for a user of its own, and logs in by its code', () => {
    const text = printed('Turn on two-step verification');
    assert.match(text, /^otpauth:\/\/totp\/\S+secret=/m);
    assert.match(text, /"status":"success".*"access_token":"/s);
  });

  it('makes an admin key for what it needs, and a user by it', () => {
    const { user } = JSON.parse(printed('Create users from your backend')) as {
      readonly user: Readonly<Record<string, unknown>>;
    };
    assert.deepEqual([user.email, user.status], ['ada@example.com', 'FORCE_CHANGE_PASSWORD']);
  });

  it('leaves only files that git ignores', () => {
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
    const left = readdirSync(folder).filter((name) => !CLONED.includes(name));
    assert.ok(left.includes('data'), left.join());
    assert.deepEqual(
      left.filter((name) => !ignored.includes(`/${name}/`)),
      [],
    );
  });

  it('links to nothing that does not exist', () => {
    const links = [...README.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 8);
    const missing = links.filter((link) => !link.startsWith('http') && !existsSync(join(ROOT, link)));
    assert.deepEqual(missing, []);
  });

  it('names commands that the package has', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const named = [...README.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    for (const name of ['start', 'test', ...named]) assert.ok(scripts[name], name);
  });
});
