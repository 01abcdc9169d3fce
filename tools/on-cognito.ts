import { globSync } from 'node:fs';
import { LACKING_TESTS, SUITES_ON_COGNITO, WITHOUT_A_SERVICE } from '../e2e/support/provider/cognito-lacks.ts';

/** Of these files those that also run in front of a pool that is reached by Cognito's protocol. */
export function filesOnCognito(files: readonly string[]): readonly string[] {
  const suites = new Set(SUITES_ON_COGNITO.flatMap((glob) => globSync(glob)));
  const without: readonly string[] = [
    ...WITHOUT_A_SERVICE,
    ...LACKING_TESTS.flatMap(({ file, name }) => (name === undefined ? [file] : [])),
  ];
  return files.filter((file) => suites.has(file) && !without.includes(file));
}

/** The names of the tests to leave out, because Cognito lacks what they test. */
export function skipsOnCognito(): readonly RegExp[] {
  const names = LACKING_TESTS.flatMap(({ name }) => name ?? []);
  return names.map((name) => new RegExp(`^${RegExp.escape(name)}$`));
}
