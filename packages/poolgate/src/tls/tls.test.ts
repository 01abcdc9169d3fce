import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate, id_ce_nameConstraints, NameConstraints } from '@peculiar/asn1-x509';
import { ConfigurationError, DEMO_USER, StartError, type StartOptions, start } from '../index.ts';
import { createDevelopmentCertificate } from './development-certificate.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const IN_MEMORY: StartOptions = { databaseUrl: 'sqlite::memory:', port: 0 };

async function emptyFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-tls-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

interface Served {
  readonly url: string;
  readonly printed: string;
  stop(): Promise<void>;
}

/** `poolgate serve` in a separate process. */
async function serve(context: TestContext, folder: string, more: Readonly<Record<string, string>>): Promise<Served> {
  const environment = { PATH: process.env.PATH, PORT: '0', POOLGATE_DATA_DIR: folder, ...more };
  const child = spawn(process.execPath, [MAIN, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = once(child, 'exit');
  context.after(() => void child.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += String(chunk);
    if (/curl -s/.test(printed)) break;
  }
  const url = /^ {2}Service +(\S+)$/m.exec(printed)?.[1];
  assert.ok(url, printed);
  return {
    url,
    printed,
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function ask(url: string, options: RequestOptions, body?: unknown) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request(url, { ...options, headers, agent: false });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number; headers: object }];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

test('a client that uses HTTP gets a page with the right address, which is also logged', async (context) => {
  const folder = await emptyFolder(context);
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const service = await start({ ...IN_MEMORY, dataDir: folder, tls: 'dev', logStream, logLevel: 'warn' });
  context.after(() => service.close());
  const answer = await fetch(service.url.replace('https:', 'http:'));
  const page = await answer.text();
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [421, 'text/html; charset=utf-8']);
  assert.ok(page.includes(`the BASE_URL of this service is <bdi>${service.baseUrl}</bdi>`), page);
  const told = lines.filter((line) => line.includes('opened over http'));
  assert.deepEqual([told.length, told[0]?.includes(`BASE_URL is ${service.baseUrl}.`)], [1, true], lines.join(''));
});

test('a service whose clients left without a request does not wait for them when it stops', async (context) => {
  const folder = await emptyFolder(context);
  const service = await start({ ...IN_MEMORY, dataDir: folder, tls: 'dev' });
  // Through some of the listening sockets, whichever the system chooses.
  await Promise.all(Array.from({ length: 8 }, () => shownBy(service.url)));
  const tooLate = once(AbortSignal.timeout(30_000), 'abort').then(() => 'too late');
  assert.equal(await Promise.race([service.close().then(() => 'closed'), tooLate]), 'closed');
});

test('a development start serves HTTPS, says what to trust, and stores its certificate and no key that could sign another', async (context) => {
  const folder = await emptyFolder(context);
  const first = await serve(context, folder, { POOLGATE_TLS: 'dev' });
  assert.match(first.url, /^https:\/\/localhost:\d+$/);
  const file = join(folder, 'tls', 'authority.pem');
  assert.ok(first.printed.includes(`curl         --cacert ${file}`), first.printed);
  const ca = await readFile(file, 'utf8');
  const { email: username, password } = DEMO_USER;
  const login = await ask(`${first.url}/login`, { ca, method: 'POST' }, { username, password });
  assert.equal(login.status, 200, login.text);
  assert.equal('strict-transport-security' in login.headers, false, 'localhost belongs to other projects, too');
  await assert.rejects(ask(`${first.url}/healthz`, {}), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
  await first.stop();

  assert.deepEqual((await readdir(join(folder, 'tls'))).toSorted(), ['authority.pem', 'certificate.pem', 'key.pem']);
  assert.equal((await stat(join(folder, 'tls', 'key.pem'))).mode & 0o777, 0o600);
  assert.equal(
    new X509Certificate(ca).publicKey.equals(
      new X509Certificate(await readFile(join(folder, 'tls', 'certificate.pem'))).publicKey,
    ),
    false,
  );
  const again = await serve(context, folder, { POOLGATE_TLS: 'dev' });
  assert.equal((await ask(`${again.url}/healthz`, { ca })).status, 200);
  await again.stop();

  const baseUrl = 'https://127.0.0.1:3443';
  const moved = await serve(context, folder, { POOLGATE_TLS: 'dev', BASE_URL: baseUrl });
  await moved.stop();
  const other = new X509Certificate(await readFile(join(folder, 'tls', 'certificate.pem')));
  assert.equal(other.checkIP('127.0.0.1'), '127.0.0.1');
  assert.notEqual(await readFile(file, 'utf8'), ca);
});

test('an authority can sign only for its host, of any kind', () => {
  for (const [host, permitted] of [
    ['localhost', ['localhost']],
    ['login.example.test', ['login.example.test']],
    ['127.0.0.1', ['127.0.0.1/255.255.255.255', 'invalid']],
  ] as const) {
    const { authority, certificate } = createDevelopmentCertificate(host, { nowMs: Date.now(), random });
    const issuer = new X509Certificate(authority);
    const leaf = new X509Certificate(certificate);
    assert.ok(leaf.verify(issuer.publicKey) && leaf.checkIssued(issuer) && issuer.ca && !leaf.ca);
    const { tbsCertificate } = AsnConvert.parse(issuer.raw, Certificate);
    const found = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_nameConstraints);
    assert.equal(found?.critical, true);
    const { permittedSubtrees = [], excludedSubtrees } = AsnConvert.parse(
      found?.extnValue.buffer ?? new ArrayBuffer(),
      NameConstraints,
    );
    const names = [...permittedSubtrees].map(({ base }) => base.dNSName ?? base.iPAddress);
    assert.equal(names.length, permitted.length);
    assert.ok(
      names.some((name) => name?.startsWith(host)),
      String(names),
    );
    assert.equal(excludedSubtrees === undefined, host === '127.0.0.1');
  }
});

/** The certificate that a service presents. */
async function shownBy(url: string): Promise<X509Certificate> {
  const { port } = new URL(url);
  const socket: TLSSocket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw);
}

test('a custom certificate is reloaded when it changes, once both of its files match', async (context) => {
  const folder = await emptyFolder(context);
  const [tlsCert, tlsKey] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const made = ['one', 'two'].map(() => createDevelopmentCertificate('localhost', { nowMs: Date.now(), random }));
  const [one, two] = made as [(typeof made)[0], (typeof made)[0]];
  await writeFile(tlsCert, one.certificate);
  await writeFile(tlsKey, one.key);
  const waiting = new Set<() => void>();
  const lines: string[] = [];
  const service = await start({
    ...IN_MEMORY,
    tlsCert,
    tlsKey,
    timer: {
      after(_delayMs, run) {
        waiting.add(run);
        return () => waiting.delete(run);
      },
    },
    logStream: { write: (line) => void lines.push(line) },
  });
  context.after(() => service.close());
  assert.match(service.baseUrl, /^https:/);
  assert.equal(service.tlsAuthority, undefined);
  const isServed = async ({ certificate }: typeof one) =>
    (await shownBy(service.url)).fingerprint256 === new X509Certificate(certificate).fingerprint256;
  /** Lets the service check its files until its log contains something. */
  const untilSaid = async (pattern: RegExp) => {
    const end = Date.now() + 10_000;
    while (!pattern.test(lines.join('')) && Date.now() < end) {
      for (const run of [...waiting]) {
        waiting.delete(run);
        run();
      }
      await shownBy(service.url);
    }
    assert.match(lines.join(''), pattern);
  };
  assert.ok(await isServed(one));
  await writeFile(tlsCert, two.certificate);
  await untilSaid(/do not match/);
  assert.ok(await isServed(one));
  await writeFile(tlsKey, two.key);
  await untilSaid(/certificate was reloaded/);
  assert.ok(await isServed(two));
});

test('invalid TLS settings are refused by name', async (context) => {
  const folder = await emptyFolder(context);
  const file = join(folder, 'tls.pem');
  const { certificate, key } = createDevelopmentCertificate('localhost', { nowMs: Date.now(), random });
  const production = { environment: { NODE_ENV: 'production' }, secrets: ['a-production-secret-of-forty-characters!'] };
  const refused: readonly (readonly [StartOptions, RegExp])[] = [
    [{ tlsCert: file }, /tlsKey|POOLGATE_TLS_KEY/],
    [{ tlsKey: file }, /tlsCert|POOLGATE_TLS_CERT/],
    [{ tls: 'dev', tlsCert: file, tlsKey: file }, /POOLGATE_TLS.*dev/],
    [{ tls: 'dev', baseUrl: 'http://localhost:3000' }, /BASE_URL.*http/],
    [{ ...production, tls: 'dev' }, /POOLGATE_TLS.*production/],
  ];
  for (const [options, pattern] of refused) {
    await assert.rejects(
      start({ ...IN_MEMORY, ...options }),
      (error) => error instanceof ConfigurationError && pattern.test(error.message),
      String(pattern),
    );
  }
  const unusable = (code: string) => (error: unknown) => error instanceof StartError && error.code === code;
  await assert.rejects(start({ ...IN_MEMORY, tlsCert: file, tlsKey: file }), unusable('tls_files'));
  await writeFile(
    file,
    `${certificate}${createDevelopmentCertificate('localhost', { nowMs: Date.now(), random }).key}`,
  );
  await assert.rejects(start({ ...IN_MEMORY, tlsCert: file, tlsKey: file }), unusable('tls_files'));
  await writeFile(file, `${certificate}${key}`);
  const service = await start({ ...IN_MEMORY, tlsCert: file, tlsKey: file });
  await service.close();
});
