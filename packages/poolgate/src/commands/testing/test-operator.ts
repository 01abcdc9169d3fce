import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Environment } from '../../config/setting-sources.ts';
import type { Service } from '../../service/start.ts';
import { start } from '../../service/start.ts';
import { runProgram } from '../run-program.ts';

/** The output of a command, and how it ended. */
export interface CommandResult {
  readonly exitCode: number;
  readonly out: readonly string[];
  readonly err: string;
}

/** An operator at the command line, with a separate store. */
export interface TestOperator {
  /** The data folder. */
  readonly folder: string;
  readonly environment: Environment;
  /** Runs a command on the store of this test. `typed` is what the operator types when prompted for a secret. */
  runPoolgate(words: readonly string[], typed?: string): Promise<CommandResult>;
  /** A service on the same store, in another instance than the commands. */
  serve(): Promise<Service>;
}

/** Creates an operator until the test ends. */
export async function createTestOperator(context: TestContext, more: Environment = {}): Promise<TestOperator> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-operator-'));
  context.after(() => rm(folder, { recursive: true }));
  const environment = { POOLGATE_DATA_DIR: folder, PORT: '0', ...more };
  return {
    folder,
    environment,
    async runPoolgate(words, typed) {
      const out: string[] = [];
      const err: string[] = [];
      const exitCode = await runProgram(words, {
        environment,
        out: (line) => void out.push(line),
        err: (line) => void err.push(line),
        readSecret: async () => typed ?? assert.fail('no secret was to be asked for'),
      });
      return { exitCode, out, err: err.join('\n') };
    },
    async serve() {
      const service = await start({ environment });
      context.after(() => service.close());
      return service;
    },
  };
}
