import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A way to run `aws` in a shell script. */
export interface AwsCommand {
  readonly name: string;
  /** The search path, on which this `aws` is found first. */
  readonly path: string;
}

const STAND_IN_PATH = fileURLToPath(new URL('aws-cli.ts', import.meta.url));
const { PATH = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'poolgate-aws-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'aws'), `#!/bin/sh\nexec '${process.execPath}' '${STAND_IN_PATH}' "$@"\n`);
chmodSync(join(folder, 'aws'), 0o755);

const isInstalled = /^aws-cli\//.test(spawnSync('aws', ['--version'], { encoding: 'utf8' }).stdout ?? '');

/** The requests of the AWS CLI in any case, and the AWS CLI itself if it is installed. */
export const AWS_COMMANDS: readonly AwsCommand[] = [
  { name: 'requests as the AWS CLI sends them', path: `${folder}${delimiter}${PATH}` },
  ...(isInstalled ? [{ name: 'the installed AWS CLI', path: PATH }] : []),
];
