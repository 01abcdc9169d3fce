import { globSync } from 'node:fs';

/**
 * The suites over the routes that also run against two replicas behind a load balancer, in every test run, by folder. Not among them are
 * - those that have two services, a process or a pool in their hands anyway;
 * - those that look at a service's own connections, port, address or end: the load balancer has others, and where the address is part of
 *   what is tried (origins, cookies, issuers of OAuth) each replica of a test has one of its own;
 * - those that change settings of the pool and go on at once: another replica sees that seconds later, by a clock that stands still here.
 */
const SUITES: Readonly<Record<string, string>> = {
  routes: `
    admin-groups admin-guard admin-list admin-paths admin-users audit choice-login cognito-api-recent-login
    cognito-api-revocations device-login devices idempotency login-srp login lost-events mfa not-me other-pools
    passkey-attacks passkey-challenges passkey-keys passkeys password-policy password profile register
    repeated-headers revoked-by-factors route-table sessions shared-limits sms-codes srp-attacks tokens
    verifier-passwords webhooks`,
  challenges: 'attacks',
  accounts: `
    canary expiry registered-before-factors registered-before-races registered-before-recovery registered-before
    session-ids somebody-else`,
  administration: `
    attributes local-records second-pool temporary-passwords webhook-targets`,
};

const ALL = Object.entries(SUITES).flatMap(([folder, names]) =>
  names.split(/\s+/).flatMap((name) => (name === '' ? [] : [`e2e/${folder}/${name}.test.ts`])),
);

/** The suites over the routes that run on replicas. With globs: those among them. */
export function suitesOnReplicas(globs: readonly string[] = []): readonly string[] {
  const chosen = new Set(globs.flatMap((glob) => globSync(glob)));
  return globs.length === 0 ? ALL : ALL.filter((file) => chosen.has(file));
}

/** Of these files those that run on replicas too. */
export function filesOnReplicas(files: readonly string[]): readonly string[] {
  const suites = new Set(ALL);
  return files.filter((file) => suites.has(file));
}
