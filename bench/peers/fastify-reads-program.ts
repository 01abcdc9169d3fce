import { fileURLToPath } from 'node:url';
import type { Account, Target } from '../load/drive.ts';
import { findFreePort, type Program } from '../rig/server.ts';

/** A bare Fastify that does the reads of a session, as a program. */
export async function createReadsProgram(folder: string): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [fileURLToPath(import.meta.resolve('./fastify-reads.ts'))],
    folder,
    environment: { PORT: String(port) },
    readyPath: '/readyz',
    port,
  };
}

/** The same with bearer tokens, which identify the session. */
export async function fillWithReadingTokens(url: string, accounts: readonly Account[]): Promise<Target> {
  return {
    url,
    accounts: accounts.map((account, index) => ({
      ...account,
      tokens: { access: `__Host-poolgate=session-${index}`, refresh: '' },
    })),
  };
}

/** Its sessions exist when it starts. */
export async function fillWithReads(url: string, accounts: readonly Account[]): Promise<Target> {
  return {
    url,
    accounts: accounts.map((account, index) => ({ ...account, cookie: `__Host-poolgate=session-${index}` })),
  };
}
