import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGuide } from '../../e2e/support/guides/guide.ts';
import { sendRequest } from '../../e2e/support/requests/exchange.ts';
import { startTestService, type TestService } from '../../e2e/support/services/test-service.ts';
import { findFreePort, waitForPort } from '../../e2e/support/services/wait-for-port.ts';
import { findDebianProgram } from './debian-programs.ts';
import type { ProofResult } from './proof.ts';

const GUIDE = readGuide('how-to/behind-a-proxy');
/** Of the guide. */
const PRINTED_HOST = 'login.example.com';
const HOST = 'localhost';
const readCode = (section: string, language: string): string =>
  GUIDE.code(section, language).join('\n').replaceAll(PRINTED_HOST, HOST);
const FORGED = '198.51.100.1';

/** Where a proxy listens, and what it sends requests to. */
interface Place {
  readonly folder: string;
  readonly port: number;
  readonly service: string;
}

/** The configuration of the guide without TLS, on ports of this machine, and the words that start the proxy with it. */
const PROXIES = {
  nginx: ({ folder, port, service }: Place) => {
    const own = readCode('nginx', 'nginx').replace('listen 443 ssl;', `listen 127.0.0.1:${port};`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    );
    const text = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${paths.join(' ')} ${own.replace('127.0.0.1:3000', service)} }`;
    return { text, words: ['-p', folder, '-c', join(folder, 'configuration')] };
  },
  caddy: ({ folder, port, service }: Place) => {
    const own = readCode('Caddy', 'caddyfile').replace('127.0.0.1:3000', service);
    const site = own.replace(`${HOST} {`, `http://${HOST}:${port} {\n\tbind 127.0.0.1`);
    const text = `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${folder}\n}\n${site}`;
    return { text, words: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'configuration')] };
  },
} as const;

/** Behind the guide's proxies, the service responds for its host and trusts no client address that was forged. */
export async function proveReverseProxies(tell: (line: string) => void): Promise<ProofResult> {
  const faults: string[] = [];
  for (const name of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
    const lines: string[] = [];
    const service = await startTestService({
      trustedProxies: ['127.0.0.1'],
      logLevel: 'info',
      logStream: { write: (line) => void lines.push(line) },
    });
    const proxy = await startProxy(name, service);
    try {
      const headers = { host: HOST, 'x-forwarded-for': FORGED };
      const { status } = await sendRequest(`http://127.0.0.1:${proxy.port}`, 'GET', '/readyz', { headers });
      if (status !== 200) faults.push(`${name}: ${status}`);
      // Without a proxy in between, the service believes this machine.
      await sendRequest(service.url, 'GET', '/none', { headers });
      if (!lines.some((line) => line.includes(FORGED))) faults.push(`${name}: the log has no addresses`);
      lines.length = 0;
      const login = { headers: { ...headers, 'content-type': 'application/json' }, body: Buffer.from('{}') };
      await sendRequest(`http://127.0.0.1:${proxy.port}`, 'POST', '/login', login);
      if (lines.some((line) => line.includes(FORGED))) faults.push(`${name}: the service takes a forged address`);
      tell(name);
    } finally {
      await proxy.stop();
      await service.close();
    }
  }
  return { figure: `${Object.keys(PROXIES).length} proxies with the configuration of the guide.`, faults };
}

async function startProxy(name: keyof typeof PROXIES, service: TestService) {
  const folder = await mkdtemp(join(tmpdir(), `poolgate-${name}-`));
  const port = await findFreePort();
  const { text, words } = PROXIES[name]({ folder, port, service: new URL(service.url).host });
  await writeFile(join(folder, 'configuration'), text);
  const child = spawn(await findDebianProgram(name), words, { stdio: 'ignore', env: { HOME: folder } });
  const gone = once(child, 'exit');
  await waitForPort(port);
  return {
    port,
    async stop() {
      child.kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
