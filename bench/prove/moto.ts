import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startClientService } from '../../e2e/support/clients/client-service.ts';
import { findFreePort } from '../../e2e/support/services/wait-for-port.ts';
import { createPythonEnvironment } from './clients/python-environment.ts';
import { startProgram } from './clients/running-program.ts';
import type { ProofResult } from './proof.ts';

const run = promisify(execFile);
const REPOSITORY = 'https://github.com/getmoto/moto';
const PACKAGES = ['moto[server,cognitoidp]', 'pytest', 'pycognito', 'pyotp'];
/** The tests have it in their code. */
const REGION = 'us-west-2';
/** moto 5.2 has fifteen. */
const LEAST_TESTS = 15;

/**
 * Runs moto's tests of Cognito that its authors verified on AWS, with boto3 and pycognito, against pools that the tests create here. Roles
 * for text messages come from moto's own server of IAM.
 * @param words a checkout of moto, to save the clone of the installed version
 */
export async function proveMoto(tell: (line: string) => void, [checkout]: readonly string[]): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-moto-'));
  try {
    const { python, programs, readVersion } = await createPythonEnvironment(folder, PACKAGES);
    const version = await readVersion('moto');
    tell(`moto ${version} is installed`);
    const tests = checkout ?? (await clone(folder, version));
    const service = await startClientService({ region: REGION, limitSourceMessages: 100 });
    const port = await findFreePort();
    const iam = await startProgram(
      { program: join(programs, 'moto_server'), words: ['-p', `${port}`], environment: {} },
      port,
    );
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      ...{ PATH: process.env.PATH, HOME: folder, MOTO_TEST_ALLOW_AWS_REQUEST: 'true', AWS_DEFAULT_REGION: REGION },
      ...{
        AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: service.url,
        AWS_ENDPOINT_URL_IAM: url,
        AWS_ENDPOINT_URL_STS: url,
      },
      AWS_ACCESS_KEY_ID: service.adminKey?.id,
      AWS_SECRET_ACCESS_KEY: service.adminKey?.secret,
    };
    const words = ['-m', 'pytest', '-q', '--color=no', '--tb=line', '-m', 'aws_verified', 'tests/test_cognitoidp'];
    const { stdout } = await run(python, words, { cwd: tests, env: environment })
      .catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
      .finally(async () => {
        await iam.stop();
        await service.close();
      });
    const [, passed = '0'] = /(\d+) passed/.exec(stdout) ?? [];
    const faults = stdout.split('\n').filter((line) => /^(?:FAILED|ERROR)/.test(line));
    if (Number(passed) < LEAST_TESTS) faults.push(`${passed} tests passed: ${stdout.slice(-2_000)}`);
    const clients = await Promise.all(['boto3', 'pycognito'].map(async (name) => `${name} ${await readVersion(name)}`));
    return {
      figure: `${passed} tests of moto ${version} passed, with ${clients.join(' and ')}; faults: ${faults.length}.`,
      faults,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function clone(folder: string, version: string): Promise<string> {
  const place = join(folder, 'moto');
  await run('git', ['clone', '--quiet', '--depth', '1', '--branch', version, REPOSITORY, place]);
  return place;
}
