import { fileURLToPath } from 'node:url';
import { freePort, type Program } from '../rig/server.ts';

/** The bare Fastify echo as a program, with or without a compile cache. */
export function echoProgram(compileCache: boolean) {
  return async (folder: string): Promise<Program> => {
    const port = await freePort();
    return {
      words: [fileURLToPath(import.meta.resolve('./fastify-echo.ts'))],
      folder,
      environment: { PORT: String(port), ECHO_COMPILE_CACHE: String(compileCache) },
      readyPath: '/readyz',
      port,
    };
  };
}
