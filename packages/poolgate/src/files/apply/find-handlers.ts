import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Stack } from '../templates/stack.ts';

const EXTENSIONS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'] as const;

/** The file of a function of a stack; undefined where the folder has none. */
export interface FunctionFile {
  readonly logicalId: string;
  readonly arn: string;
  readonly path: string | undefined;
}

/** As in CloudFormation. Any other name could lead out of the folder. */
const LOGICAL_ID = /^[A-Za-z0-9]{1,255}$/;

async function findFile(folder: string, logicalId: string): Promise<string | undefined> {
  if (!LOGICAL_ID.test(logicalId)) return undefined;
  for (const extension of EXTENSIONS) {
    const path = resolve(join(folder, `${logicalId}.${extension}`));
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return path;
  }
  return undefined;
}

/** Looks in a folder for the handlers of a stack's functions: one file for each, named by its logical id. */
export function findHandlers(
  { functions }: Pick<Stack, 'functions'>,
  folder: string,
): Promise<readonly FunctionFile[]> {
  return Promise.all(
    [...functions].map(async ([logicalId, arn]) => ({ logicalId, arn, path: await findFile(folder, logicalId) })),
  );
}
