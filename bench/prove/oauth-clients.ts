import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ClientRow, writeClientTable } from './clients/client-table.ts';
import { createGoOidc } from './clients/go-oidc.ts';
import { buildGoApplication, installGoProgram } from './clients/go-programs.ts';
import { APACHE, createAuthlibApplication } from './clients/guide-applications.ts';
import { installNodePackages, listNodeApplications } from './clients/node-applications.ts';
import { createOAuth2Proxy } from './clients/oauth2-proxy.ts';
import { createPythonEnvironment } from './clients/python-environment.ts';
import { copyProgram, runSchemathesis, runSdkProgram } from './clients/sdk-programs.ts';
import { buildSpringApplication } from './clients/spring.ts';
import { type ApplicationResult, runApplication } from './clients/stage.ts';
import type { ProofResult } from './proof.ts';

const run = promisify(execFile);

/** A client that was run: its row in the table, and the result. */
interface TestedClient extends ApplicationResult {
  readonly row: ClientRow;
}

type Registry = (folder: string) => Promise<readonly TestedClient[]>;

const USUAL = 'Sign-in, userInfo, refresh, logout';

const REGISTRIES: Readonly<Record<string, Registry>> = {
  async npm(folder) {
    const packages = await installNodePackages(folder);
    const does: Readonly<Record<string, string>> = {
      'next-auth': 'Sign-in with the Cognito provider',
      'better-auth': 'Sign-in with the plugin `genericOAuth`',
      'passport-openidconnect': 'Sign-in, userInfo, logout',
      '@fastify/oauth2': 'Sign-in, userInfo, refresh, revocation, logout',
    };
    const tested: TestedClient[] = [];
    for (const [client, application] of Object.entries(listNodeApplications(packages))) {
      const row = {
        client,
        version: await packages.readVersion(client),
        registry: 'npm',
        does: does[client] ?? '',
      } as const;
      tested.push({ row, ...(await runApplication(application)) });
    }
    return tested;
  },
  async python(folder) {
    const { python, programs, readVersion } = await createPythonEnvironment(folder, [
      ...['authlib', 'requests', 'boto3', 'pycognito', 'schemathesis'],
    ]);
    const describe = async (client: string, does: string): Promise<ClientRow> => {
      return { client, version: await readVersion(client.toLowerCase()), registry: 'PyPI', does };
    };
    const authlib = await runApplication(createAuthlibApplication(python));
    const sdk = await runSdkProgram(python, [await copyProgram(folder, 'python-sdk.py')]);
    const generated = await runSchemathesis(folder, join(programs, 'schemathesis'));
    return [
      { row: await describe('Authlib', 'Sign-in, userInfo, refresh, revocation, logout'), ...authlib },
      { row: await describe('boto3', 'A new pool, its users and app clients'), ...sdk },
      { row: await describe('pycognito', 'SRP, refresh, password change and logout at a new pool'), ...sdk },
      { row: await describe('schemathesis', 'Requests generated from the OpenAPI document'), ...generated },
    ];
  },
  async go(folder) {
    const goOidc = await buildGoApplication(folder, 'go-oidc', ['github.com/coreos/go-oidc/v3', 'golang.org/x/oauth2']);
    const proxy = await installGoProgram(folder, 'github.com/oauth2-proxy/oauth2-proxy/v7', 'oauth2-proxy');
    const sdk = await buildGoApplication(folder, 'aws-sdk-go', [
      'github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider',
      'github.com/aws/aws-sdk-go-v2/config',
    ]);
    const describe = (client: string, { version }: { readonly version: string }, does: string): ClientRow => {
      return { client, version: version.replace(/^v/, ''), registry: 'Go', does };
    };
    return [
      { row: describe('go-oidc', goOidc, USUAL), ...(await runApplication(createGoOidc(goOidc))) },
      { row: describe('oauth2-proxy', proxy, 'Sign-in'), ...(await runApplication(createOAuth2Proxy(proxy))) },
      {
        row: describe('AWS SDK for Go', sdk, 'A new pool, sign-up, sign-in, refresh'),
        ...(await runSdkProgram(sdk.program)),
      },
    ];
  },
  async java(folder) {
    const { foreign, version } = await buildSpringApplication(folder);
    const does = 'Sign-in, userInfo, logout; resource server';
    const row = { client: 'Spring Security', version, registry: 'Maven Central', does } as const;
    return [{ row, ...(await runApplication(foreign)) }];
  },
  async debian() {
    const { stdout } = await run('dpkg-query', ['-W', '-f', `\${Version}`, 'libapache2-mod-auth-openidc']);
    const row = { client: 'mod_auth_openidc', version: stdout.trim(), registry: 'Debian', does: USUAL } as const;
    return [{ row, ...(await runApplication(APACHE)) }];
  },
};

/**
 * Runs clients that the test run does not have, as their registries have them today, and writes the table of the reference.
 * @param words the registries to test; the table is written only if all are
 */
export async function proveOAuthClients(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult> {
  const names = words.length === 0 ? Object.keys(REGISTRIES) : words;
  const tested: TestedClient[] = [];
  const faults: string[] = [];
  for (const name of names) {
    const folder = mkdtempSync(join(tmpdir(), 'poolgate-clients-'));
    try {
      const found = (await REGISTRIES[name]?.(folder)) ?? [];
      for (const { row, checks, faults } of found)
        tell(`${row.client} ${row.version}: ${checks} checks, ${faults.length} faults`);
      tested.push(...found);
    } catch (error) {
      faults.push(`${name}: ${String(error)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  faults.push(...tested.flatMap(({ row, faults: own }) => own.map((fault) => `${row.client}: ${fault}`)));
  if (faults.length === 0 && words.length === 0) writeClientTable(tested.map(({ row }) => row));
  const counts = tested.map(({ row, checks }) => `${row.client} ${row.version}: ${checks} checks`);
  return { figure: `${counts.join(', ')}; faults: ${faults.length}.`, faults };
}
