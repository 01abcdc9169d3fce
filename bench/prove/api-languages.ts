import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readGuide } from '../../e2e/support/guides/guide.ts';
import { createBearerHeader, sendRequest } from '../../e2e/support/requests/exchange.ts';
import { addUser, PASSWORD, requireTokens, startTestService } from '../../e2e/support/services/test-service.ts';
import { findFreePort, waitForPort } from '../../e2e/support/services/wait-for-port.ts';
import type { ProofResult } from './proof.ts';

const run = promisify(execFile);
const ADA = 'ada@example.test';
const GUIDE = readGuide('how-to/protect-an-api');
/** The `go get` of the guide. */
const MODULES = ['github.com/golang-jwt/jwt/v5', 'github.com/MicahParks/keyfunc/v3'];

/** Builds the program of each language from the code of the guide; returns the command that starts it. */
const LANGUAGES: Readonly<Record<string, (folder: string) => Promise<readonly [string, ...string[]]>>> = {
  async Python(folder) {
    await writeFile(join(folder, 'api.py'), GUIDE.code('Python', 'python').join('\n'));
    return [process.env.PYTHON ?? 'python3', join(folder, 'api.py')];
  },
  async Go(folder) {
    await writeFile(join(folder, 'main.go'), GUIDE.code('Go', 'go').join('\n'));
    await run('go', ['mod', 'init', 'example.com/api'], { cwd: folder });
    await run('go', ['get', ...MODULES], { cwd: folder });
    await run('go', ['build', '-o', 'api', '.'], { cwd: folder });
    return [join(folder, 'api')];
  },
};

/** The APIs of the guide in Python and Go accept an access token and reject every other request. */
export async function proveApiLanguages(tell: (line: string) => void): Promise<ProofResult> {
  const service = await startTestService();
  const faults: string[] = [];
  let checks = 0;
  try {
    // The libraries read the machine's clock.
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    const { access, id } = requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
    const altered = `${access.slice(0, -8)}AAAAAAAA`;
    for (const [language, build] of Object.entries(LANGUAGES)) {
      const api = await startApi(build, service.url);
      const cases = [
        ['an access token', 200, createBearerHeader(access)],
        ['no token', 401, {}],
        ['an ID token', 401, createBearerHeader(id)],
        ['an altered token', 401, createBearerHeader(altered)],
        ['another scheme', 401, { authorization: `Basic ${access}` }],
      ] as const;
      for (const [name, status, headers] of cases) {
        const answer = await sendRequest(api.url, 'GET', '/orders', { headers });
        checks += 1;
        if (answer.status !== status) faults.push(`${language}, ${name}: ${answer.status} ${answer.text}`);
      }
      await api.stop();
      tell(`${language}: ${cases.length} requests`);
    }
  } finally {
    await service.close();
  }
  return { figure: `${checks} requests to ${Object.keys(LANGUAGES).length} APIs were answered as expected.`, faults };
}

async function startApi(build: (folder: string) => Promise<readonly [string, ...string[]]>, poolgate: string) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-api-'));
  const [program, ...words] = await build(folder);
  const port = await findFreePort();
  const env = { ...process.env, POOLGATE_URL: poolgate, PORT: String(port) };
  const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = once(child, 'exit');
  await waitForPort(port);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
