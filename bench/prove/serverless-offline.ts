import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertHandlersWork, createHandlersConfig, HANDLER_NAMES } from '../../e2e/support/guides/example-handlers.ts';
import { findFreePort } from '../../e2e/support/services/wait-for-port.ts';
import { startTriggeredService, toFunctionMap } from '../../e2e/support/triggers/triggered-service.ts';
import type { ProofResult } from './proof.ts';

/** Installed only for the proof: together they are more than six hundred packages. */
const PACKAGES = ['serverless@3.40.0', 'serverless-offline@13.9.0'];
const HANDLERS = new URL('../../examples/triggers/handlers.ts', import.meta.url);
const QUIET = { SLS_TELEMETRY_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off', SLS_INTERACTIVE_SETUP_ENABLE: '0' };

const PROJECT = `service: triggers
frameworkVersion: '3'
provider:
  name: aws
  runtime: nodejs20.x
plugins: [serverless-offline]
functions:
${HANDLER_NAMES.map((name) => `  ${name}: { handler: handlers.${name} }`).join('\n')}
`;

/** The name of a function that Serverless deployed. */
const toDeployedName = (name: string): string => `triggers-dev-${name}`;

/** Runs the example's handlers, unchanged except for their types, in serverless-offline, and signs up and logs in with them. */
export async function proveServerlessOffline(tell: (line: string) => void): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-serverless-'));
  let emulator: ChildProcess | undefined;
  try {
    install(folder);
    tell('installed');
    const port = await findFreePort();
    emulator = await startEmulator(folder, port);
    tell('listening');
    const names = HANDLER_NAMES.map(toDeployedName);
    const service = await startTriggeredService(createHandlersConfig(toDeployedName), {
      awsCredentials: async () => ({ accessKeyId: 'emulator', secretAccessKey: 'emulator' }),
      lambdaEndpoint: `http://localhost:${port}`,
      triggerMap: toFunctionMap(names, () => 'lambda'),
    });
    await assertHandlersWork(service).finally(() => service.close());
    return { figure: `${PACKAGES.join(' and ')}: ${names.join(', ')} refuse, let in and change tokens.`, faults: [] };
  } catch (error) {
    return { figure: 'It did not come to an end.', faults: [error instanceof Error ? error.message : String(error)] };
  } finally {
    emulator?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "name": "triggers", "private": true }');
  writeFileSync(join(folder, 'serverless.yml'), PROJECT);
  writeFileSync(join(folder, 'handlers.mjs'), stripTypeScriptTypes(readFileSync(HANDLERS, 'utf8')));
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES];
  execFileSync('npm', words, { cwd: folder, stdio: 'pipe' });
}

/** Ready once it prints so. @throws {Error} it ended before */
async function startEmulator(folder: string, port: number): Promise<ChildProcess> {
  const program = join(folder, 'node_modules/serverless/bin/serverless.js');
  const ports = ['--lambdaPort', String(port), '--httpPort', String(await findFreePort())];
  const emulator = spawn(process.execPath, [program, 'offline', ...ports], {
    cwd: folder,
    env: { ...process.env, ...QUIET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const listening = new Promise<void>((resolve) => {
    for (const stream of [emulator.stdout, emulator.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes(`listening on http://localhost:${port}`)) resolve();
      });
    }
  });
  const ended = once(emulator, 'exit').then(() => Promise.reject(new Error(`serverless ended: ${said.slice(-400)}`)));
  await Promise.race([listening, ended]);
  ended.catch(() => {});
  return emulator;
}
