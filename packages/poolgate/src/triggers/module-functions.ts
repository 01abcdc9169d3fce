import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../start-error.ts';
import type { TriggerFunction } from './function-target.ts';

/** The functions of a module, by the names under which it exports them. */
export interface ModuleFunctions {
  /** Rejects where the module has no such function, or cannot be loaded. */
  find(name: string): Promise<TriggerFunction>;
}

type Exports = Readonly<Record<string, unknown>>;

/**
 * Loads the module that holds the functions.
 * @param reloads true: a file that has changed is loaded anew at the next call. What it imports is not.
 * @throws {StartError} it cannot be loaded
 */
export async function moduleFunctions(path: string, reloads: boolean): Promise<ModuleFunctions> {
  const file = resolve(path);
  let loadedAtMs = await modifiedAtMs(file);
  let exports = await load(file, 0).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError('setting_refused', `POOLGATE_TRIGGERS: cannot be loaded: ${reason}`, error);
  });
  return {
    async find(name) {
      const changedAtMs = reloads ? await modifiedAtMs(file) : loadedAtMs;
      if (changedAtMs !== loadedAtMs) {
        exports = await load(file, changedAtMs);
        loadedAtMs = changedAtMs;
      }
      return exportedFunction(exports, name);
    },
  };
}

/** Zero where there is nothing, of which loading says more. */
async function modifiedAtMs(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}

async function load(file: string, version: number): Promise<Exports> {
  const url = pathToFileURL(file);
  if (version > 0) url.searchParams.set('version', String(version));
  return (await import(url.href)) as Exports;
}

/** Named exports, or members of the default one, which is all that a CommonJS module has. */
function exportedFunction(exports: Exports, name: string): TriggerFunction {
  const nested = typeof exports.default === 'object' ? (exports.default as Exports | null) : null;
  // What every object has is no function of the module.
  const ofDefault = Object.hasOwn(Object.prototype, name) ? undefined : nested?.[name];
  const found = Object.hasOwn(exports, name) ? exports[name] : ofDefault;
  if (typeof found !== 'function') throw new TypeError(`The module of POOLGATE_TRIGGERS exports no function ${name}`);
  return found as TriggerFunction;
}
