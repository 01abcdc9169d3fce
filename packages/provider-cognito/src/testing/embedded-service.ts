import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The service with its embedded pool in a separate process: a counterpart that speaks Cognito's API. */
export interface EmbeddedService extends AsyncDisposable {
  readonly url: string;
  readonly userPoolId: string;
  readonly clientId: string;
  readonly adminKey: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly demoUser: { readonly username: string; readonly password: string };
}

const MAIN = fileURLToPath(new URL('../../../poolgate/src/main.ts', import.meta.url));

/** The lines that the service prints when it is ready. */
const PRINTED = {
  url: /^ {2}Service +(\S+)$/m,
  userPoolId: /^ {2}User pool ID +(\S+)$/m,
  clientId: /^ {2}Client ID +(\S+)$/m,
  adminKey: /^ {2}Admin key +(\S+)$/m,
  demoUser: /^ {2}Demo user +(\S+ \/ \S+)$/m,
} as const;

/** Starts the service on a free port, with a database that ends with it. */
export async function startEmbeddedService(): Promise<EmbeddedService> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-cognito-'));
  const { PATH } = process.env;
  const env = {
    PATH,
    PORT: '0',
    LOG_LEVEL: 'error',
    POOLGATE_DATA_DIR: folder,
    POOLGATE_LIMIT_LOGIN_STEPS: '0',
    POOLGATE_LIMIT_USER_STEPS: '0',
  };
  const child = spawn(process.execPath, [MAIN, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const onText = (text: string): void => {
    printed += text;
    if (Object.values(PRINTED).every((pattern) => pattern.test(printed))) resolve(printed);
  };
  child.stdout.setEncoding('utf8').on('data', onText);
  child.stderr.setEncoding('utf8').on('data', onText);
  ended.then(([code]) => reject(new Error(`the service ended with ${code}:\n${printed}`)));
  const text = await promise;
  const found = (name: keyof typeof PRINTED) => PRINTED[name].exec(text)?.[1] ?? '';
  const [, accessKeyId = '', secretAccessKey = ''] = /^pg_([^_]+)_(.+)$/.exec(found('adminKey')) ?? [];
  const [username = '', password = ''] = found('demoUser').split(' / ');
  return {
    url: found('url'),
    userPoolId: found('userPoolId'),
    clientId: found('clientId'),
    adminKey: { accessKeyId, secretAccessKey },
    demoUser: { username, password },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
