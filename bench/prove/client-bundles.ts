import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { CHROMIUM_VARIABLE, extractChromium } from '../../e2e/support/browser/chromium.ts';
import { launchBrowser } from '../../e2e/support/browser/launch-browser.ts';
import { DEMO_USER, type Service, start } from '../../packages/poolgate/src/index.ts';
import { packAll } from '../../tools/pack.ts';
import type { ProofResult } from './proof.ts';

/** Installed only for the proof. */
const BUNDLERS = ['vite@8.3.8', 'webpack@5.112.2', 'esbuild@0.28.2'];
const PACKAGES = /poolgate-(?:client|contract|srp)-\d/;
const PLACE = '/app';

/** One way to load the client in a page: a program that writes it, and its folder. */
interface Way {
  readonly folder: string;
  readonly program: string;
}

const OUT = (folder: string): string => `process.cwd() + '/${folder}'`;
const PLAIN = `import { cpSync, writeFileSync, readFileSync } from 'node:fs';
cpSync('node_modules/@poolgate/client/dist', 'plain', { recursive: true });
writeFileSync('plain/main.js', readFileSync('main.js', 'utf8').replace('@poolgate/client', './index.js'));`;

const WAYS: Readonly<Record<string, Way>> = {
  Vite: {
    folder: 'vite',
    program: `import { build } from 'vite';
await build({ logLevel: 'error', base: '${PLACE}/', build: { target: 'esnext', outDir: 'vite', assetsDir: '.', rollupOptions: { input: 'main.js', output: { entryFileNames: 'main.js' } } } });`,
  },
  webpack: {
    folder: 'webpack',
    program: `import webpack from 'webpack';
const stats = await new Promise((done, fail) => webpack({ mode: 'production', entry: './main.js', output: { path: ${OUT('webpack')}, filename: 'main.js', publicPath: '${PLACE}/' } }, (error, stats) => (error ? fail(error) : done(stats))));
if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());`,
  },
  esbuild: {
    folder: 'esbuild',
    program: `import { cpSync } from 'node:fs';
import { build } from 'esbuild';
await build({ entryPoints: ['main.js'], bundle: true, minify: true, format: 'esm', outfile: 'esbuild/main.js' });
cpSync('node_modules/@poolgate/client/dist/srp-worker.js', 'esbuild/srp-worker.js');`,
  },
  'no bundler': { folder: 'plain', program: PLAIN },
};

const MAIN = `import { createClient } from '@poolgate/client';
globalThis.logIn = async (login) => (await createClient().login.withPassword(login)).kind;
document.title = 'ready';`;

declare global {
  /** Set by the page. */
  var logIn: (login: { readonly username: string; readonly password: string }) => Promise<string>;
}

/** Installs the packed client in an empty project, bundles it in every way, and logs in with each in a browser. */
export async function proveClientBundles(tell: (line: string) => void): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-bundles-'));
  process.env[CHROMIUM_VARIABLE] ??= await extractChromium();
  const service = await start({ databaseUrl: 'sqlite::memory:', port: 0, dataDir: join(folder, 'data') });
  try {
    const project = await createProject(folder, tell);
    const found: string[] = [];
    const faults: string[] = [];
    for (const [name, way] of Object.entries(WAYS)) {
      writeFileSync(join(project, 'build.mjs'), way.program);
      execFileSync(process.execPath, ['build.mjs'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
      const { kind, workers } = await tryInBrowser(service, join(project, way.folder));
      found.push(`${name}: ${kind}, ${workers} worker`);
      if (kind !== 'done' || workers !== 1) faults.push(`${name}: ${kind}, ${workers} workers`);
      tell(found.at(-1) ?? '');
    }
    return { figure: `A login in Chromium with the packed client by each of ${found.join('; ')}.`, faults };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createProject(folder: string, tell: (line: string) => void): Promise<string> {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "bundles", "private": true, "type": "module" }');
  writeFileSync(join(project, 'main.js'), MAIN);
  const tarballs = (await packAll(join(folder, 'tarballs'))).filter((path) => PACKAGES.test(basename(path)));
  tell('packed');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs, ...BUNDLERS];
  execFileSync('npm', words, { cwd: project, stdio: 'pipe' });
  tell(`installed ${BUNDLERS.join(' ')}`);
  return project;
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
const PAGE = `<!doctype html><title>Client</title><script type="module" src="${PLACE}/main.js"></script>`;

/** The files are at the service's own origin, like those of an application next to it. */
async function tryInBrowser({ url }: Service, files: string): Promise<{ kind: string; workers: number }> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.route(`${url}${PLACE}/**`, async (route) => {
      const name = basename(new URL(route.request().url()).pathname);
      if (name === 'index.html') return route.fulfill({ contentType: 'text/html', body: PAGE });
      const path = join(files, name);
      if (!existsSync(path)) return route.fulfill({ status: 404 });
      return route.fulfill({ contentType: TYPES[extname(path)] ?? 'text/plain', body: readFileSync(path) });
    });
    await page.goto(`${url}${PLACE}/index.html`);
    await page.waitForFunction(() => document.title === 'ready');
    const { email: username, password } = DEMO_USER;
    const kind = await page.evaluate((login) => logIn(login), { username, password });
    return { kind, workers: page.workers().length };
  } finally {
    await browser.close();
  }
}
