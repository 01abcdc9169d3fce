import { fileURLToPath } from 'node:url';
import { findFreePort, type Program } from '../rig/server.ts';

/** The bare Fastify echo as a program, with or without a compile cache. */
export function createEchoProgram(compileCache: boolean) {
  return async (folder: string): Promise<Program> => {
    const port = await findFreePort();
    return {
      words: [fileURLToPath(import.meta.resolve('./fastify-echo.ts'))],
      folder,
      environment: { PORT: String(port), ECHO_COMPILE_CACHE: String(compileCache) },
      readyPath: '/readyz',
      port,
    };
  };
}
