import { globSync } from 'node:fs';

/** The suites over the routes that also run against two replicas behind a load balancer, in every test run: logins of all kinds, what they leave. */
const SUITES = [
  'e2e/routes/login-srp.test.ts',
  'e2e/routes/device-login.test.ts',
  'e2e/routes/mfa.test.ts',
  'e2e/routes/passkeys.test.ts',
  'e2e/routes/password.test.ts',
  'e2e/routes/register.test.ts',
  'e2e/routes/tokens.test.ts',
  'e2e/routes/sessions.test.ts',
];

/** The suites over the routes that run on replicas. With globs: those among them. */
export function suitesOnReplicas(globs: readonly string[] = []): readonly string[] {
  const suites = SUITES.flatMap((glob) => globSync(glob));
  const chosen = new Set(globs.flatMap((glob) => globSync(glob)));
  return globs.length === 0 ? suites : suites.filter((file) => chosen.has(file));
}

/** Of these files those that run on replicas too. */
export function filesOnReplicas(files: readonly string[]): readonly string[] {
  const suites = new Set(suitesOnReplicas());
  return files.filter((file) => suites.has(file));
}
