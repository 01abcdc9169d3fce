import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../e2e/support/services/wait-for-port.ts';
import { startProgram } from '../clients/running-program.ts';
import { PROVIDER_USER, type StartProvider } from './provider-program.ts';

const run = promisify(execFile);
const REPOSITORY = 'https://github.com/dexidp/dex';
/** bcrypt of the user's password. */
const HASH = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';

/** Builds Dex in a checkout: `DEX`, or a clone. Its module replaces another, so `go install` refuses it. */
async function buildDex(folder: string): Promise<{ readonly program: string; readonly checkout: string }> {
  const checkout = process.env.DEX ?? join(folder, 'source');
  if (!existsSync(checkout)) await run('git', ['clone', '--quiet', '--depth', '1', REPOSITORY, checkout]);
  const program = join(folder, 'dex');
  await run('go', ['build', '-o', program, './cmd/dex'], { cwd: checkout, maxBuffer: 1 << 26 });
  return { program, checkout };
}

/** Dex with its own passwords. It reads its pages from the checkout. */
export const startDex: StartProvider = async (folder, { id, secret, redirectUri }) => {
  const { program, checkout } = await buildDex(folder);
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}/dex`;
  const { email } = PROVIDER_USER;
  const configuration = {
    issuer,
    storage: { type: 'memory' },
    web: { http: `127.0.0.1:${port}` },
    frontend: { dir: join(checkout, 'web') },
    oauth2: { skipApprovalScreen: true },
    enablePasswordDB: true,
    staticClients: [{ id, secret, name: 'Poolgate', redirectURIs: [redirectUri] }],
    staticPasswords: [{ email, hash: HASH, username: 'ada', userID: '08a8684b-db88-4b73-90a9-3cd1661f5466' }],
  };
  const file = join(folder, 'dex.json');
  await writeFile(file, JSON.stringify(configuration));
  const { stop } = await startProgram({ program, words: ['serve', file], environment: {} }, port);
  return { issuer, stop };
};
