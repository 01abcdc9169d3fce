import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { DEMO_USER, type Service, type StartOptions, start } from 'poolgate';
import { AWS_COMMANDS } from '../support/guides/aws-commands.ts';
import { parseVariables, readGuide, runModule, runShell } from '../support/guides/guide.ts';
import { hasCurl } from '../support/requests/curl.ts';

const GUIDE = readGuide('how-to/local-cognito');
const PRINTED_URL = 'http://localhost:3000';
const POOL = 'us-east-1_Local0001';

/** Starts as in the guide, but in memory and on another port. */
function startLocal(more: StartOptions = {}): Promise<Service> {
  const [command = ''] = GUIDE.code('Start it', 'sh');
  return start({ databaseUrl: 'sqlite::memory:', port: 0, environment: parseVariables(command), ...more });
}

async function fetchAccessToken({ baseUrl }: Service, user: { readonly username: string; readonly password: string }) {
  const answer = await fetch(`${baseUrl}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { access_token = '', id_token = '' } = (await answer.json()) as Readonly<Record<string, string | undefined>>;
  return { access: access_token, id: id_token };
}

/** An address that is known before its service starts, like that of a fixed port, because the issuer contains it. */
async function openEntryPoint() {
  let behind = '';
  const server = createServer(async ({ url = '/' }, answer) => {
    const { status, headers, body } = await fetch(`${behind}${url}`);
    answer.writeHead(status, { 'content-type': headers.get('content-type') ?? '' });
    answer.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()));
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    leadTo(url: string): void {
      behind = url;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const DEMO = { username: DEMO_USER.email, password: DEMO_USER.password };

describe('the guide to a local Cognito', () => {
  let service: Service;
  before(async () => {
    service = await startLocal();
  });
  after(() => service.close());

  const here = (code: string) => code.replaceAll(PRINTED_URL, service.baseUrl);
  const asAdmin = () => ({
    AWS_ACCESS_KEY_ID: service.adminKey?.id ?? '',
    AWS_SECRET_ACCESS_KEY: service.adminKey?.secret ?? '',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: service.baseUrl,
  });

  it('names the served pool and client', () => {
    assert.deepEqual([service.userPoolId, service.clientId], [POOL, 'localclient']);
  });

  it('has an Amplify app that signs up, confirms with the outbox, signs in and out', async () => {
    const [configure = '', use = ''] = GUIDE.code('An Amplify app', 'js');
    const printed = await runModule(here(`${configure}\n${use}`));
    assert.match(printed, /^Ada is signed in: true, until \d{4}-\d\d-\d\dT[\d:.]+Z\n$/);
  });

  it('has a Lambda handler that accepts access tokens of the pool, and no others', async () => {
    const [handler = ''] = GUIDE.code('A backend: Lambda or Node', 'js');
    const settings = { USER_POOL_ID: POOL, CLIENT_ID: 'localclient', POOL_ENDPOINT: service.baseUrl };
    const call = async (authorization: string | undefined): Promise<{ statusCode: number; body: string }> => {
      const event = JSON.stringify({ headers: { authorization } });
      return JSON.parse(await runModule(`${handler}\nconsole.log(JSON.stringify(await handler(${event})));`, settings));
    };
    const { access, id } = await fetchAccessToken(service, DEMO);
    const admitted = await call(`Bearer ${access}`);
    assert.equal(admitted.statusCode, 200, admitted.body);
    assert.match(admitted.body, /^\{"sub":"[\da-f-]{36}","groups":\[\]\}$/);
    for (const refused of [undefined, `Bearer ${id}`, `Bearer ${access}x`, 'Basic abc']) {
      assert.equal((await call(refused)).statusCode, 401, `${refused}`);
    }
  });

  it('has a verifier for a custom issuer', async () => {
    const [, verifier = ''] = GUIDE.code('A backend: Lambda or Node', 'js');
    const [, issuer = ''] = /`IDP_ISSUER=(\S+)`/.exec(GUIDE.text) ?? [];
    const entryPoint = await openEntryPoint();
    const at = (text: string) => text.replaceAll(PRINTED_URL, entryPoint.url);
    const own = await startLocal({ issuer: at(issuer) });
    entryPoint.leadTo(own.url);
    try {
      const { access, id } = await fetchAccessToken(own, DEMO);
      assert.equal(await runModule(at(verifier), { ACCESS_TOKEN: access }), `${at(issuer)}\n`);
      await assert.rejects(runModule(at(verifier), { ACCESS_TOKEN: id }), /a token for something else/);
      const ofAnother = await fetchAccessToken(service, DEMO);
      await assert.rejects(runModule(at(verifier), { ACCESS_TOKEN: ofAnother.access }), { code: 1 });
    } finally {
      await own.close();
      await entryPoint.close();
    }
  });

  for (const { name, path } of AWS_COMMANDS) {
    it(`has commands that administer a user, run by ${name}`, async () => {
      const local = await startLocal();
      try {
        const [, commands = ''] = GUIDE.code('The AWS CLI', 'sh');
        const key = local.adminKey;
        const env = {
          ...asAdmin(),
          PATH: path,
          AWS_ACCESS_KEY_ID: key?.id ?? '',
          AWS_SECRET_ACCESS_KEY: key?.secret ?? '',
          AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: local.baseUrl,
        };
        assert.equal(await runShell(commands, env), 'CONFIRMED\nstaff\nBearer\n');
        const wrong = { ...env, AWS_SECRET_ACCESS_KEY: `${key?.secret}x` };
        await assert.rejects(
          runShell(commands, wrong),
          /UnrecognizedClientException|IncompleteSignature|InvalidSignature/,
        );
      } finally {
        await local.close();
      }
    });

    it(`has commands that create a pool and a client, run by ${name}`, async () => {
      const [commands = ''] = GUIDE.code('Infrastructure', 'sh');
      const printed = await runShell(commands, { ...asAdmin(), PATH: path });
      assert.match(printed, /^us-east-1_[A-Za-z\d]{9} [a-z\d]{26}\n$/);
      assert.ok(!printed.startsWith(POOL));
    });
  }

  it('exports the variables that its commands use', () => {
    const [variables = ''] = GUIDE.code('The AWS CLI', 'sh');
    assert.deepEqual(Object.keys(parseVariables(variables)).sort(), Object.keys(asAdmin()).sort());
  });

  if (hasCurl) {
    it('has a curl request that finds users', async () => {
      const [, , request = ''] = GUIDE.code('The AWS CLI', 'sh');
      const filter = request.replace('grace@example.com', DEMO_USER.email);
      const { Users } = JSON.parse(await runShell(here(filter), asAdmin())) as { readonly Users: readonly object[] };
      assert.equal(Users.length, 1);
    });
  }

  it('has an SDK script that creates a pool and a client with a secret', async () => {
    const [script = ''] = GUIDE.code('Infrastructure', 'js');
    assert.match(await runModule(script, asAdmin()), /^us-east-1_[A-Za-z\d]{9} [a-z\d]{26} 51\n$/);
  });
});
