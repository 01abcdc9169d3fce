import { globSync } from 'node:fs';
import { POOL_SUITES, SUITES_ON_COGNITO, TESTS_SKIPPED_ON_COGNITO } from '../e2e/support/provider/cognito-gaps.ts';

/** Returns those files that also run in front of a pool with Cognito's protocol. */
export function selectFilesOnCognito(files: readonly string[]): readonly string[] {
  const suites = new Set(SUITES_ON_COGNITO.flatMap((glob) => globSync(glob)));
  const without: readonly string[] = [
    ...POOL_SUITES,
    ...TESTS_SKIPPED_ON_COGNITO.flatMap(({ file, name }) => (name === undefined ? [file] : [])),
  ];
  return files.filter((file) => suites.has(file) && !without.includes(file));
}

/** Returns the names of the tests to skip, because Cognito lacks what they test. */
export function listSkippedOnCognito(): readonly RegExp[] {
  const names = TESTS_SKIPPED_ON_COGNITO.flatMap(({ name }) => name ?? []);
  return names.map((name) => new RegExp(`^${RegExp.escape(name)}$`));
}
