import { globSync } from 'node:fs';

/**
 * The suites over the routes that also run against two replicas behind a load balancer, in every test run: logins of all kinds, what
 * they leave. Not among them are suites that read several mails of one moment: two replicas have two outboxes, and no clock that tells which was first.
 */
const SUITES = [
  'e2e/routes/login-srp.test.ts',
  'e2e/routes/device-login.test.ts',
  'e2e/routes/mfa.test.ts',
  'e2e/routes/passkeys.test.ts',
  'e2e/routes/tokens.test.ts',
  'e2e/routes/sessions.test.ts',
];

/** Of these files those that run on replicas too. */
export function filesOnReplicas(files: readonly string[]): readonly string[] {
  const suites = new Set(SUITES.flatMap((glob) => globSync(glob)));
  return files.filter((file) => suites.has(file));
}
