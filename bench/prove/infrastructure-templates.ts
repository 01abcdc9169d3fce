import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../packages/poolgate/src/commands/run-program.ts';
import { start } from '../../packages/poolgate/src/index.ts';
import type { ProofResult } from './proof.ts';
import { type AppliedStacks, compareWithAssembly } from './templates/compare-with-template.ts';

/** Installed only for the proof: it takes minutes. */
const PACKAGES = ['aws-cdk-lib@2.276.0', 'constructs@10', '@aws-amplify/auth-construct@1.12.0'];
const APP = 'cdk-app.mjs';
const LEAST_STACKS = 40;
/** A stack of ten resources takes less. */
const MOST_MS = 2_000;

/**
 * Applies what the CDK and Amplify synthesize from every variation of their constructs, and compares each property with what the SDK describes.
 * @param words a folder with the packages installed, to save the installation
 */
export async function proveInfrastructureTemplates(
  tell: (line: string) => void,
  [installed]: readonly string[],
): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-templates-'));
  try {
    const home = installed ?? install(folder);
    const assembly = join(folder, 'assembly');
    copyFileSync(new URL(`templates/${APP}`, import.meta.url), join(home, APP));
    execFileSync(process.execPath, [APP, assembly], { cwd: home, stdio: 'pipe' });
    tell('synthesized');
    const environment = { POOLGATE_DATA_DIR: folder, POOLGATE_UNSUPPORTED_SETTINGS: 'warn', PORT: '0' };
    const stacks = await apply(assembly, environment);
    const again = await run(['apply', assembly, '--dry-run', '--json'], environment);
    const changed = again.out.flatMap((line) =>
      /"action":"(?:create|update|replace)"/.test(line) ? [line.slice(0, 300)] : [],
    );
    const tookMs = await measureApply(folder, environment);
    const service = await start({ environment });
    const faults = await compareWithAssembly(service, assembly, stacks).finally(() => service.close());
    const names = Object.keys(stacks);
    if (names.length < LEAST_STACKS) faults.push(`only ${names.length} stacks`);
    if (tookMs > MOST_MS) faults.push(`a stack of ten resources took ${tookMs} ms`);
    return {
      figure: `${names.length} stacks of the CDK and Amplify are as their templates say. A stack of ten resources took ${tookMs} ms.`,
      faults: [...faults, ...changed],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder: string): string {
  writeFileSync(join(folder, 'package.json'), '{ "name": "templates", "private": true }');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES];
  execFileSync('npm', words, { cwd: folder, stdio: 'pipe' });
  return folder;
}

type Environment = Readonly<Record<string, string>>;

async function run(words: readonly string[], environment: Environment) {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runProgram(words, {
    environment,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    readSecret: () => Promise.reject(new TypeError('nothing asks for a secret')),
  });
  if (exitCode !== 0) throw new Error(err.join('\n'));
  return { out, err };
}

async function apply(assembly: string, environment: Environment): Promise<AppliedStacks> {
  const { out } = await run(['apply', assembly, '--output', 'json'], environment);
  return JSON.parse(out.join('\n')) as AppliedStacks;
}

/** A pool with a client, a domain, a resource server and six groups. */
async function measureApply(folder: string, environment: Environment): Promise<number> {
  const groups = Array.from({ length: 6 }, (_, index) => `    group${index}: { Precedence: ${index} }`);
  const file = join(folder, 'ten.yaml');
  writeFileSync(
    file,
    `pools:\n  ten:\n    Clients: { web: {} }\n    Domains: { ten-resources: {} }\n    ResourceServers: { orders: { Name: Orders } }\n    Groups:\n${groups.join('\n').replaceAll('    group', '      group')}\n`,
  );
  const startedAtMs = performance.now();
  await run(['apply', file], environment);
  return Math.round(performance.now() - startedAtMs);
}
