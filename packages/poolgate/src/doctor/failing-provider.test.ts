import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CheckRow } from './findings/finding.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

async function serverThat(context: TestContext, answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.closeAllConnections());
  context.after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The program in a separate process, because a process that waits for nothing ends. */
async function poolgate(endpoint: string, words: readonly string[], input = '') {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: {
      PATH: process.env.PATH,
      IDP_PROVIDER: 'cognito',
      IDP_USER_POOL_ID: 'us-east-1_Example12',
      IDP_CLIENT_ID: 'exampleclient',
      IDP_ENDPOINT: endpoint,
      DATABASE_URL: 'sqlite::memory:',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'an-example-of-a-secret-key',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
  child.stdin.end(input);
  const [[exitCode], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { exitCode: exitCode as number | null, out, err };
}

const refuse =
  (status: number, name: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'x-amzn-errortype': name, 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ __type: name, message: 'planted words' }));
  };

const PLACES: readonly {
  readonly what: string;
  readonly endpoint: (context: TestContext) => Promise<string>;
  readonly said: RegExp;
}[] = [
  {
    what: 'where nobody listens',
    endpoint: async () => 'http://127.0.0.1:9',
    said: /cannot be reached \(ECONNREFUSED\)/,
  },
  {
    what: 'whose name nobody knows',
    endpoint: async () => 'http://poolgate-nowhere.invalid',
    said: /cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)/,
  },
  {
    what: 'that fails',
    endpoint: (context) => serverThat(context, refuse(500, 'InternalErrorException')),
    said: /returned a server error \(InternalErrorException\)/,
  },
  {
    what: 'that throttles',
    endpoint: (context) => serverThat(context, refuse(400, 'TooManyRequestsException')),
    said: /returned too many requests \(TooManyRequestsException\)/,
  },
  {
    what: 'that breaks the connection',
    endpoint: (context) => serverThat(context, (request) => void request.socket.destroy()),
    said: /closed the connection \(ECONNRESET\)/,
  },
  {
    what: 'that is a page',
    endpoint: (context) => serverThat(context, (_request, response) => void response.end('<html>')),
    said: /returned a response that is not from the Cognito API/,
  },
];

for (const { what, endpoint, said } of PLACES) {
  test(`an endpoint ${what} is a finding that names it, and every command ends with a response`, async (context) => {
    const url = await endpoint(context);
    const { exitCode, out, err } = await poolgate(url, ['doctor', '--json']);
    assert.deepEqual([exitCode, err], [1, '']);
    const { checks } = JSON.parse(out) as { readonly checks: readonly CheckRow[] };
    const { result, finding, advice } = checks.find(({ check }) => check === 'app client') ?? assert.fail(out);
    assert.equal(result, 'fault');
    assert.ok(finding.startsWith(`${url} `), finding);
    assert.match(finding, said);
    assert.ok(advice);
    for (const row of checks) assert.doesNotMatch(row.advice ?? '', /credentials|identity of this service/, row.check);
    assert.ok(!out.includes('planted'));
    const list = await poolgate(url, ['user', 'list']);
    assert.deepEqual([list.exitCode, list.out], [1, '']);
    assert.match(list.err, /^poolgate: [^\n]+run poolgate doctor for details\)\n$/m);
  });
}

test('an endpoint that never responds is a finding, too', async (context) => {
  const url = await serverThat(context, () => {});
  const { exitCode, err } = await poolgate(url, ['user', 'list']);
  assert.equal(exitCode, 1);
  assert.match(err, /^poolgate: [^\n]*slow; run poolgate doctor for details\)\n$/m);
});

test('a secret block that is not base64 is a finding of the rehearsal, without a stack trace', async (context) => {
  const challenge = {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: {
      SALT: 'ab',
      SRP_B: 'cd',
      SECRET_BLOCK: '!! not base64',
      USERNAME: 'u',
      USER_ID_FOR_SRP: 'u',
    },
    Session: 'a-session-of-twenty-characters',
  };
  const url = await serverThat(context, (_request, response) => void response.end(JSON.stringify(challenge)));
  const words = ['doctor', '--test-user', 'ada@example.com', '--json'];
  const { exitCode, out, err } = await poolgate(url, words, 'Ada-Passw0rd!\n');
  assert.deepEqual([exitCode, err], [1, '']);
  const { checks } = JSON.parse(out) as { readonly checks: readonly CheckRow[] };
  const login = checks.find(({ check }) => check === 'login');
  assert.match(
    login?.finding ?? '',
    /returned a response that is not from the Cognito API \(ChallengeParameters\.SECRET_BLOCK\)/,
  );
});
