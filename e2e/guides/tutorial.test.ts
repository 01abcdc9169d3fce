import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClone, createTerminalEnvironment, readBlocks, runCommands } from '../support/guides/clone.ts';
import { type ServiceProcess, startServiceProcess } from '../support/services/service-process.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

const BLOCKS = readBlocks('docs/tutorials/protected-api.md');
/** These two keep running: the service, and the API. */
const SERVERS = ['Start Poolgate', 'Run the API'];

describe('the tutorial', () => {
  const folder = createClone();
  const commands = BLOCKS.filter(({ section, language }) => language === 'sh' && !SERVERS.includes(section));
  let service: ServiceProcess;
  let api: ChildProcess;
  let outputs: readonly string[];
  before(async () => {
    service = await startServiceProcess(join(folder, 'data'));
    const port = await findFreePort();
    const place = (code: string): string =>
      code.replaceAll('http://localhost:3000', service.url).replaceAll(/\b4000\b/g, String(port));
    const [program = ''] = BLOCKS.filter(({ language }) => language === 'js').map(({ code }) => place(code));
    writeFileSync(join(folder, 'tmp/notes-api.mjs'), program);
    const [start = ''] = BLOCKS.filter(({ section }) => section === 'Run the API').map(({ code }) => code);
    // A process group, because npm starts the program in a child process.
    api = spawn('sh', ['-c', start], {
      ...{ cwd: folder, env: createTerminalEnvironment(folder), detached: true },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(api.stdout ?? api, 'data');
    outputs = await runCommands(
      commands.map(({ code }) => place(code)),
      folder,
    );
  });
  after(async () => {
    const gone = once(api, 'close');
    process.kill(-(api.pid ?? assert.fail('the API has no process')));
    await gone;
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const printed = (section: string): string =>
    commands.map((block, index) => (block.section === section ? outputs[index] : '')).join('');
  const statuses = (section: string): readonly string[] | null => printed(section).match(/HTTP\/1\.1 \d+/g);

  it('starts the service as the README does', () => {
    assert.equal(BLOCKS.find(({ section }) => section === 'Start Poolgate')?.code, 'npm ci && npm start\n');
  });

  it('gets 401 without a token', () => {
    assert.deepEqual(statuses('Call it without a token'), ['HTTP/1.1 401']);
  });

  it('gets 200 with the token of a user', () => {
    assert.deepEqual(statuses('Call it as Ada'), ['HTTP/1.1 200']);
    assert.match(printed('Call it as Ada'), /^\{"user":"[\da-f-]{36}","groups":\[\]\}/m);
  });

  it('writes only after the user joined the group and logged in again', () => {
    assert.deepEqual(statuses('Let only editors write'), ['HTTP/1.1 403', 'HTTP/1.1 200']);
    assert.match(printed('Let only editors write'), /"groups":\["editors"\]/);
  });
});
