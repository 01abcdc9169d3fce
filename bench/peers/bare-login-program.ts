import { fileURLToPath } from 'node:url';
import { findFreePort, type Program } from '../rig/server.ts';

/** The minimum of a login, as a program. */
export async function createBareLoginProgram(folder: string): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [fileURLToPath(import.meta.resolve('./bare-login.ts'))],
    folder,
    environment: { PORT: String(port) },
    readyPath: '/readyz',
    port,
  };
}
