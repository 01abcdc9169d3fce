import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('../../../docs/reference/oauth-conformance.md', import.meta.url);
const HEADING = '## Tested clients';
const LOCKFILE = new URL('../../../package-lock.json', import.meta.url);

/** A row of the table. */
export interface ClientRow {
  readonly client: string;
  readonly version: string;
  readonly registry: 'npm' | 'PyPI' | 'Go' | 'Maven Central' | 'Debian';
  readonly does: string;
}

/** Clients that `npm test` runs, with what it does with them. Their versions are those of the lockfile. */
const CLIENTS_OF_TESTS: Readonly<Record<string, string>> = {
  'openid-client': 'Sign-in, step-up, userInfo, refresh, revocation, logout, machine tokens',
  oauth4webapi: 'Sign-in, issuer check, userInfo, refresh',
  'oidc-client-ts': 'Sign-in, userInfo, refresh, revocation and logout, also in Chromium',
  '@auth/core': 'Sign-in with the Cognito provider, logout',
  'express-openid-connect': 'Sign-in, userInfo, refresh, logout',
  'aws-amplify':
    '`signInWithRedirect` in Chromium, also with an identity provider; sign-in, sign-up and account functions',
  'amazon-cognito-identity-js': 'SRP, challenges, devices and account functions',
  '@aws-sdk/client-cognito-identity-provider': 'Users, pools and app clients',
  'aws-jwt-verify': 'Checks of access and ID tokens',
};

/** The lockfile of the tests. */
const { packages: LOCKED } = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
};

function readLockedVersion(name: string): string {
  const locked = LOCKED[`e2e/node_modules/${name}`] ?? LOCKED[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`${name} is not in the lockfile`);
  return locked.version;
}

/** Writes the clients that were tested, with their versions and the day, into the reference. */
export function writeClientTable(rows: readonly ClientRow[]): void {
  const tested = Object.entries(CLIENTS_OF_TESTS).map(
    ([client, does]): ClientRow => ({ client, does, version: readLockedVersion(client), registry: 'npm' }),
  );
  const lines = [...tested, ...rows].map(
    ({ client, version, registry, does }) => `| ${client} | ${version} | ${registry} | ${does} |\n`,
  );
  const [before = ''] = readFileSync(PAGE, 'utf8').split(`\n${HEADING}\n`);
  const text = [
    `\n${HEADING}\n\n`,
    `These clients worked unmodified on ${new Date().toISOString().slice(0, 10)}. The benchmarks' proof \`oauth-clients\` writes this table.\n\n`,
    '| Client | Version | From | What was tested |\n|---|---|---|---|\n',
    ...lines,
  ];
  writeFileSync(PAGE, `${before}${text.join('')}`);
}
