import { fileURLToPath } from 'node:url';
import type { Account, Target } from '../load/drive.ts';
import { findFreePort, type Program } from '../rig/server.ts';

/** A bare Fastify that signs a token, as a program. */
export async function createSignatureProgram(folder: string): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [fileURLToPath(import.meta.resolve('./fastify-signature.ts'))],
    folder,
    environment: { PORT: String(port) },
    readyPath: '/readyz',
    port,
  };
}

/** It has no users. */
export async function fillWithSignatures(url: string, accounts: readonly Account[]): Promise<Target> {
  return { url, accounts, oauth: { authorizeUrl: '', tokenUrl: `${url}/oauth2/token`, clientId: 'anybody' } };
}
