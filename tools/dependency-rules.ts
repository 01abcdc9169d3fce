import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GeneratedFile } from './generated-files.ts';
import { LAYERS, listForbiddenFolders } from './layers.ts';

const { dirname, join, relative } = posix;
const launcher = fileURLToPath(new URL('run.cjs', import.meta.url));

interface FolderRule {
  /** Folder below packages/. */
  readonly folder: string;
  /** Entry points of other packages that it may import. */
  readonly allowedPackages: readonly string[];
  /** Relative paths that it may not import: layers above it, and neighbors that it must not know. */
  readonly forbiddenPaths?: readonly string[];
  /** Modules that belong to another layer. */
  readonly forbiddenModules?: readonly string[];
  /** True for the files of one folder; false for a package with all its folders. */
  readonly isLayer?: boolean;
  /** True if the code must run in any runtime. */
  readonly anyRuntime?: boolean;
}

const POOL = ['@poolgate/provider', '@poolgate/srp'];
const GATEWAY = ['@poolgate/contract', '@poolgate/provider', '@poolgate/provider/aws-json', '@poolgate/srp'];
const CLIENT = ['@poolgate/contract', '@poolgate/srp'];
const ELEMENTS = ['@poolgate/client', '@poolgate/contract'];
const CONSOLE = ['@poolgate/contract', '@poolgate/elements/messages'];
const WEB_FRAMEWORK = ['fastify', '@fastify/*'];
const PROGRAM = [
  ...GATEWAY,
  '@poolgate/srp/openssl',
  '@poolgate/console/pages',
  '@poolgate/elements/pages',
  '@poolgate/pool',
  '@poolgate/pool/store',
  '@poolgate/pool/branding',
  '@poolgate/pool/signatures',
  '@poolgate/gateway',
  '@poolgate/gateway/records',
  '@poolgate/provider-cognito',
  '@poolgate/store',
  '@poolgate/store/backup',
];

/** What each package may import, and where it runs. */
const PACKAGE_RULES: readonly FolderRule[] = [
  { folder: 'srp/src', allowedPackages: [], anyRuntime: true },
  { folder: 'provider/src', allowedPackages: [], anyRuntime: true },
  { folder: 'contract/src', allowedPackages: [], anyRuntime: true },
  { folder: 'client/src', allowedPackages: CLIENT, anyRuntime: true },
  { folder: 'provider-cognito/src', allowedPackages: POOL },
  { folder: 'pool/src', allowedPackages: POOL },
  { folder: 'gateway/src', allowedPackages: GATEWAY },
  { folder: 'elements/src', allowedPackages: ELEMENTS, anyRuntime: true },
  { folder: 'console/src', allowedPackages: CONSOLE, anyRuntime: true },
  { folder: 'store/src', allowedPackages: ['@poolgate/pool/store', '@poolgate/gateway/records'] },
  { folder: 'poolgate/src', allowedPackages: PROGRAM, forbiddenModules: WEB_FRAMEWORK },
];
/** Folders with fewer allowed imports than their package: they contain the types of records, and other packages import them. */
const RECORD_FOLDERS = ['pool/src/store', 'gateway/src/records'];
/** The only folder of the gateway that knows the web framework. */
const HTTP_FOLDER = 'gateway/src/http';

/** Returns the rules of a package's folders, by its layers. */
function createLayerRules(rule: FolderRule): readonly FolderRule[] {
  const layers = LAYERS[dirname(rule.folder)] ?? [];
  return layers.flat().map((name) => {
    const folder = join(rule.folder, name);
    const isHttp = folder === HTTP_FOLDER;
    return {
      ...rule,
      folder,
      isLayer: true,
      allowedPackages: RECORD_FOLDERS.includes(folder) ? ['@poolgate/provider'] : rule.allowedPackages,
      forbiddenPaths: listForbiddenFolders(layers, name).map((other) => `${toSpecifier(relative(name, other))}/*.ts`),
      ...(folder.startsWith('gateway/') && !isHttp ? { forbiddenModules: WEB_FRAMEWORK } : {}),
    };
  });
}

const toSpecifier = (path: string): string => (path.startsWith('.') ? path : `./${path}`);

const FOLDER_RULES: readonly FolderRule[] = PACKAGE_RULES.flatMap((rule) => [rule, ...createLayerRules(rule)]);

/** Files that may use Node in a package for any runtime, and entry points that tests may use in addition to the package's own. */
const NODE_FILES = ['srp/src/openssl.ts', 'srp/src/openssl-rsa.ts', 'srp/src/runtime-codecs.node.ts'];
const TEST_PACKAGES = ['@poolgate/store', '@poolgate/store/testing', '@poolgate/srp/openssl'];
/**
 * The packages that the tests of a package may use: a real pool for the gateway, a real gateway for the client, and the service's HTML
 * escaping for the pages.
 */
const TESTED_ON: Readonly<Record<string, readonly string[]>> = {
  gateway: ['@poolgate/pool/testing'],
  elements: ['@poolgate/provider'],
  client: ['@poolgate/gateway/testing'],
};

function createPatterns(rule: FolderRule, options: { tests: boolean; node: boolean }): unknown[] {
  const testedOn = TESTED_ON[rule.folder.split('/')[0] ?? ''] ?? [];
  const allowed = options.tests ? [...rule.allowedPackages, ...TEST_PACKAGES, ...testedOn] : rule.allowedPackages;
  const list: unknown[] = [
    {
      group: ['@poolgate/*', '@poolgate/*/**', 'poolgate', '**/src/**', ...allowed.map((name) => `!${name}`)],
      message: `packages/${rule.folder} may not import this: see tools/dependency-rules.ts.`,
    },
  ];
  if (rule.forbiddenPaths && rule.forbiddenPaths.length > 0 && !options.tests)
    list.push({
      group: [...rule.forbiddenPaths],
      message: `packages/${rule.folder} may not import this folder: see tools/layers.ts.`,
    });
  if (rule.forbiddenModules && !options.tests)
    list.push({
      group: [...rule.forbiddenModules],
      message: `packages/${rule.folder} does not know the web framework.`,
    });
  if (rule.anyRuntime && !options.node)
    list.push({ group: ['node:*'], message: `packages/${rule.folder} runs in any runtime.` });
  return list;
}

function createOverride(includes: string[], rule: FolderRule, options: { tests: boolean; node: boolean }): unknown {
  const style = { noRestrictedImports: { level: 'error', options: { patterns: createPatterns(rule, options) } } };
  const globals = {
    noRestrictedGlobals: { level: 'error', options: { deniedGlobals: { Buffer: 'Node only', process: 'Node only' } } },
  };
  const portable = rule.anyRuntime && !options.node;
  return { includes, linter: { rules: { style: portable ? { ...style, ...globals } : style } } };
}

function createOverrides(): unknown[] {
  const packages = FOLDER_RULES.map((rule) =>
    createOverride([`packages/${rule.folder}/${rule.isLayer ? '*' : '**'}`], rule, { tests: false, node: false }),
  );
  const tests = PACKAGE_RULES.map((rule) =>
    createOverride([`packages/${rule.folder}/**/*.test.ts`, `packages/${rule.folder}/**/testing/**`], rule, {
      tests: true,
      node: true,
    }),
  );
  const node = PACKAGE_RULES.flatMap((rule) => {
    const files = NODE_FILES.filter((file) => file.startsWith(`${rule.folder}/`)).map((file) => `packages/${file}`);
    return files.length === 0 ? [] : [createOverride(files, rule, { tests: false, node: true })];
  });
  return [...packages, ...tests, ...node];
}

/** Formats like `npm run format`. */
function format(text: string): string {
  const words = [launcher, 'biome', 'format', '--stdin-file-path=biome.json'];
  return execFileSync(process.execPath, words, { input: text, encoding: 'utf8' });
}

/**
 * Generates biome.json with the dependency rules as lint rules: which package and which layer may import which. Overrides of Biome replace
 * a rule's options, so every list here is complete.
 */
export function generateLintRules(): readonly GeneratedFile[] {
  const current = readFileSync(new URL('../biome.json', import.meta.url), 'utf8');
  const settings = JSON.parse(current) as { overrides?: { linter?: unknown }[] };
  const byHand = (settings.overrides ?? []).filter((entry) => !JSON.stringify(entry).includes('noRestrictedImports'));
  const written = { ...settings, overrides: [...byHand, ...createOverrides()] };
  const isSame = JSON.stringify(settings) === JSON.stringify(written);
  return [{ file: 'biome.json', text: isSame ? current : format(JSON.stringify(written)) }];
}
