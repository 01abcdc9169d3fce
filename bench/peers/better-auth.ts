import { fileURLToPath } from 'node:url';
import type { Account, Target } from '../load/drive.ts';
import { post } from '../load/request.ts';
import { findFreePort, type Program } from '../rig/server.ts';

/** better-auth on an empty store. */
export async function createBetterAuthProgram(folder: string): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [fileURLToPath(import.meta.resolve('./better-auth-server.ts'))],
    folder,
    environment: { PORT: String(port) },
    readyPath: '/api/auth/ok',
    port,
  };
}

/** Signs the users up. */
export async function fillBetterAuth(url: string, accounts: readonly Account[]): Promise<Target> {
  for (const { username, password } of accounts) {
    await post(
      `${url}/api/auth/sign-up/email`,
      { email: username, password, name: 'Ada' },
      { 'Content-Type': 'application/json', Origin: url },
    );
  }
  return { url, accounts };
}
