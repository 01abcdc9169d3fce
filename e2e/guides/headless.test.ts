import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { readGuide } from '../support/guides/guide.ts';
import { STEP_KINDS } from '../support/guides/step-kinds.ts';
import { computeTotpCode, computeWrongTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const EMAIL = 'ada@example.com';
const guide = readGuide('how-to/headless');
const [program = ''] = guide.code('A complete login', 'js');

describe('the guide to your own forms', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({}, new TestClock(Date.now()));
    await addUser(service, EMAIL);
  });
  after(() => service.close());

  /** Runs the program of the guide with these typed lines, and returns its output. */
  async function run(...lines: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: fileURLToPath(new URL('../', import.meta.url)),
      env: { PATH: process.env.PATH, POOLGATE_URL: service.url },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(`${lines.join('\n')}\n`);
    return text(child.stdout);
  }

  it('has a program that logs in, also with an authenticator app, and reports what was refused', async () => {
    assert.match(await run(EMAIL, PASSWORD), /Signed in as ada@example\.com/);
    assert.match(await run(EMAIL, 'Wrong-Horse1!'), /Refused: invalid_credentials/);
    const secret = await createActiveAuthenticator(service, EMAIL);
    service.clock.advance(30_000);
    const printed = await run(EMAIL, PASSWORD, computeWrongTotpCode(service, secret), computeTotpCode(service, secret));
    assert.match(printed, /Authentication code\? Not accepted: code_mismatch/);
    assert.match(printed, /Signed in as ada@example\.com/);
  });

  it('names every kind of step, in its program and in its table', () => {
    const kinds = [...guide.text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    for (const kind of STEP_KINDS) assert.ok(kinds.includes(kind), kind);
    for (const kind of STEP_KINDS.filter((each) => each !== 'done' && each !== 'refused'))
      assert.match(program, new RegExp(`\\b${kind}: `), kind);
  });
});
