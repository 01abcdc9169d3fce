import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ModuleFunctions, requireExportedFunction } from './module-functions.ts';
import { type ModuleExports, ModuleGraph } from './module-graph.ts';

/**
 * The functions of one file that POOLGATE_TRIGGER_MAP names.
 * @param path relative to the working directory
 * @param reloads true: after the file or one of its imports has changed, the next call loads all of them again
 */
export function openFileFunctions(path: string, reloads: boolean): ModuleFunctions {
  const file = resolve(path);
  const graph = new ModuleGraph(file);
  const load = () => (reloads ? graph.load() : (import(pathToFileURL(file).href) as Promise<ModuleExports>));
  return {
    async find(name) {
      const exports = await load().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${path} cannot be loaded: ${reason}`, { cause: error });
      });
      return requireExportedFunction(exports, name, path);
    },
  };
}
