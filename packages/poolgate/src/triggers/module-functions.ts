import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../process/start-error.ts';
import type { TriggerFunction } from './function-target.ts';
import type { ModuleExports } from './module-graph.ts';

/** The functions of a module, by export name. */
export interface ModuleFunctions {
  /** Rejects if the module has no such function, or cannot be loaded. */
  find(name: string): Promise<TriggerFunction>;
}

/**
 * Loads the module that contains the functions.
 * @param reloads true: the next call loads a changed file again, but not its imports
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

/** Undefined if the file is missing, e.g. for a moment during a write. */
async function readModifiedAtMs(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

/** Each version of a file is a separate module. */
function loadModule(file: string, version = ''): Promise<ModuleExports> {
  const url = pathToFileURL(file);
  url.search = version;
  return import(url.href) as Promise<ModuleExports>;
}

/**
 * Returns a named export, or a member of the default export, which is all that a CommonJS module has.
 * @param where the module's name in errors
 * @throws {TypeError} there is no such function
 */
export function requireExportedFunction(exports: ModuleExports, name: string, where: string): TriggerFunction {
  const nested = typeof exports.default === 'object' ? (exports.default as ModuleExports | null) : null;
  // Inherited members of objects are not functions of the module.
  const ofDefault = Object.hasOwn(Object.prototype, name) ? undefined : nested?.[name];
  const found = Object.hasOwn(exports, name) ? exports[name] : ofDefault;
  if (typeof found !== 'function') throw new TypeError(`${where} exports no function ${name}`);
  return found as TriggerFunction;
}
