import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../process/start-error.ts';
import type { TriggerFunction } from './function-target.ts';
import type { ModuleExports } from './module-graph.ts';

/** The functions of a module, by the names under which it exports them. */
export interface ModuleFunctions {
  /** Rejects where the module has no such function, or cannot be loaded. */
  find(name: string): Promise<TriggerFunction>;
}

/**
 * Loads the module that holds the functions.
 * @param reloads true: a file that has changed is loaded anew at the next call. What it imports is not.
 * @throws {StartError} it cannot be loaded
 */
export async function openModuleFunctions(path: string, reloads: boolean): Promise<ModuleFunctions> {
  const file = resolve(path);
  let loadedAtMs = await readModifiedAtMs(file);
  let exports = await loadModule(file).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError('setting_refused', `POOLGATE_TRIGGERS: cannot be loaded: ${reason}`, error);
  });
  return {
    async find(name) {
      const changedAtMs = reloads ? await readModifiedAtMs(file) : undefined;
      if (changedAtMs !== undefined && changedAtMs !== loadedAtMs) {
        exports = await loadModule(file, String(changedAtMs));
        loadedAtMs = changedAtMs;
      }
      return requireExportedFunction(exports, name, 'The module of POOLGATE_TRIGGERS');
    },
  };
}

/** Undefined where there is no file, as for a moment while it is written. */
async function readModifiedAtMs(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

/** Each version of a file is a module of its own. */
function loadModule(file: string, version = ''): Promise<ModuleExports> {
  const url = pathToFileURL(file);
  url.search = version;
  return import(url.href) as Promise<ModuleExports>;
}

/**
 * A named export, or a member of the default one, which is all that a CommonJS module has.
 * @param where the module, as an error names it
 * @throws {TypeError} there is no such function
 */
export function requireExportedFunction(exports: ModuleExports, name: string, where: string): TriggerFunction {
  const nested = typeof exports.default === 'object' ? (exports.default as ModuleExports | null) : null;
  // What every object has is no function of the module.
  const ofDefault = Object.hasOwn(Object.prototype, name) ? undefined : nested?.[name];
  const found = Object.hasOwn(exports, name) ? exports[name] : ofDefault;
  if (typeof found !== 'function') throw new TypeError(`${where} exports no function ${name}`);
  return found as TriggerFunction;
}
