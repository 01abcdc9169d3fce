import { stat } from 'node:fs/promises';
import module, { createRequire } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The exports of a module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/** One load of a module together with the files that it imports. */
interface ModuleLoad {
  readonly version: number;
  readonly files: Set<string>;
}

const VERSION_PARAMETER = 'version';

/** By the URL of each module that belongs to a load. */
const loads = new Map<string, ModuleLoad>();
let versions = 0;
let isTracking = false;

/** CommonJS modules are cached by file. */
const { cache } = createRequire(import.meta.url);

/** A module that is loaded again after it or an imported file has changed. Packages in `node_modules` are loaded once. */
export class ModuleGraph {
  readonly #file: string;
  #exports: ModuleExports | undefined;
  #modifiedAt: ReadonlyMap<string, number | undefined> = new Map();

  constructor(file: string) {
    this.#file = file;
  }

  /** Rejects if the module cannot be loaded; the next call tries again. */
  async load(): Promise<ModuleExports> {
    if (this.#exports !== undefined && !(await this.#hasChanged())) return this.#exports;
    for (const file of this.#modifiedAt.keys()) delete cache[file];
    const files = new Set([this.#file]);
    versions += 1;
    const exports = await importTracked(this.#file, { version: versions, files });
    for (const file of files) addRequiredFiles(file, files);
    const times = [...files].map(async (file) => [file, await readModifiedAtMs(file)] as const);
    this.#modifiedAt = new Map(await Promise.all(times));
    this.#exports = exports;
    return exports;
  }

  /** A missing file is being written: until it exists again, the loaded modules stay in use. */
  async #hasChanged(): Promise<boolean> {
    const changes = [...this.#modifiedAt].map(async ([file, before]) => {
      const nowMs = await readModifiedAtMs(file);
      return nowMs !== undefined && nowMs !== before;
    });
    return (await Promise.all(changes)).includes(true);
  }
}

async function readModifiedAtMs(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

function importTracked(file: string, load: ModuleLoad): Promise<ModuleExports> {
  trackImports();
  const url = withVersion(pathToFileURL(file).href, load);
  loads.set(url, load);
  return import(url) as Promise<ModuleExports>;
}

/**
 * Adds the version of a load to the imports of a tracked module, so that they are loaded again with it. Node before 22.15 has no hooks: it
 * loads only the file itself again.
 */
function trackImports(): void {
  if (isTracking) return;
  isTracking = true;
  module.registerHooks?.({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const load = context.parentURL === undefined ? undefined : loads.get(context.parentURL);
      if (load === undefined || !isOwnFile(resolved.url)) return resolved;
      load.files.add(fileURLToPath(resolved.url));
      const url = withVersion(resolved.url, load);
      loads.set(url, load);
      return { ...resolved, url };
    },
  });
}

function isOwnFile(url: string): boolean {
  return url.startsWith('file:') && !isInPackage(fileURLToPath(url));
}

function isInPackage(file: string): boolean {
  return file.split(sep).includes('node_modules');
}

function withVersion(href: string, { version }: ModuleLoad): string {
  const url = new URL(href);
  url.searchParams.set(VERSION_PARAMETER, String(version));
  return url.href;
}

/** The required files of a CommonJS module have no URL that could contain a version. */
function addRequiredFiles(file: string, files: Set<string>): void {
  for (const { filename } of cache[file]?.children ?? []) {
    if (files.has(filename) || isInPackage(filename)) continue;
    files.add(filename);
    addRequiredFiles(filename, files);
  }
}
