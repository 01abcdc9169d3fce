import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startClientService } from '../../../e2e/support/clients/client-service.ts';
import { ADA, type ApplicationResult } from './stage.ts';

const run = promisify(execFile);
const REGION = 'us-east-1';
/** Without it, schemathesis generates cases for minutes. */
const MAX_SECONDS = 120;

/** Runs a program with an SDK of AWS at a new pool. It prints the address of the user that signed in. */
export async function runSdkProgram(program: string, words: readonly string[] = []): Promise<ApplicationResult> {
  const service = await startClientService({ issuer: 'base-url' });
  const environment = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, AWS_REGION: REGION, AWS_DEFAULT_REGION: REGION },
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: service.baseUrl,
    AWS_ACCESS_KEY_ID: service.adminKey?.id,
    AWS_SECRET_ACCESS_KEY: service.adminKey?.secret,
  };
  const found = await run(program, words, { env: environment })
    .then(({ stdout }) => (stdout.trim() === ADA ? [] : [`it printed ${stdout}`]))
    .catch((error: Error) => [error.message])
    .finally(() => service.close());
  return { checks: 1, faults: found };
}

/** Returns the file of a program in `applications/`, copied into a folder. */
export async function copyProgram(folder: string, file: string): Promise<string> {
  const place = join(folder, file);
  await copyFile(new URL(`applications/${file}`, import.meta.url), place);
  return place;
}

const CHECKS = [
  ...['not_a_server_error', 'status_code_conformance', 'content_type_conformance'],
  ...['response_headers_conformance', 'response_schema_conformance', 'ignored_auth'],
];

/** Sends what schemathesis generates from the OpenAPI document, as an administrator; returns the number of requests. */
export async function runSchemathesis(folder: string, program: string): Promise<ApplicationResult> {
  const service = await startClientService({ limitReads: 0, limitLoginSteps: 0, limitUserSteps: 0, overloadMs: 0 });
  const report = join(folder, 'schemathesis.txt');
  const words = [
    ...['run', `${service.url}/openapi.json`, '-H', `Authorization: Bearer ${service.adminKey?.bearer}`],
    ...['--checks', CHECKS.join(), '--phases', 'examples,coverage,fuzzing', '--max-examples', '10'],
    ...['--max-time', String(MAX_SECONDS), '--no-color'],
  ];
  const shell = '"$0" "$@" > "$REPORT" 2>&1';
  const failed = await run('sh', ['-c', shell, program, ...words], {
    cwd: folder,
    env: { ...process.env, REPORT: report },
  })
    .then(() => false)
    .catch(() => true)
    .finally(() => service.close());
  const text = await readFile(report, 'utf8');
  const [, generated = '0'] = /(\d+) generated/.exec(text) ?? [];
  const [, failures = text.slice(-4_000)] = /=+ (?:ERRORS|FAILURES) =+\n(.*?)\n=+ WARNINGS/s.exec(text) ?? [];
  return { checks: Number(generated), faults: failed ? [failures] : [] };
}
