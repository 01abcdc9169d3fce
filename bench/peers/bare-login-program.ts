import { fileURLToPath } from 'node:url';
import { freePort, type Program } from '../rig/server.ts';

/** The least that a login can be, as a program. */
export async function bareLoginProgram(folder: string): Promise<Program> {
  const port = await freePort();
  return {
    words: [fileURLToPath(import.meta.resolve('./bare-login.ts'))],
    folder,
    environment: { PORT: String(port) },
    readyPath: '/readyz',
    port,
  };
}
