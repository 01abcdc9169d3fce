import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createIdentityProviderProtocol } from './identity-provider-protocol.ts';

const REDIRECT_URI = 'https://pool.example.com/oauth2/idpresponse';

interface Answers {
  readonly keys?: readonly object[];
  readonly authorize: (query: URLSearchParams) => { readonly status: number; readonly location?: string };
}

/** Serves a provider's metadata, and its response to an authorization request. */
async function startProvider(context: TestContext, { keys = [{ kty: 'RSA' }], authorize }: Answers): Promise<string> {
  let issuer = '';
  const answer: RequestListener = ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, issuer);
    if (pathname === '/authorize') {
      const { status, location } = authorize(searchParams);
      response.writeHead(status, location === undefined ? {} : { location }).end();
      return;
    }
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(pathname === '/keys' ? { keys } : metadata));
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  context.after(() => server.close());
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}

function check(issuer: string) {
  const protocol = createIdentityProviderProtocol({ allowPrivate: false, allowLoopback: true, clock: Date });
  const details = { oidc_issuer: issuer, client_id: 'pool', authorize_scopes: 'openid' };
  return protocol.check({ type: 'OIDC', details, secret: '' }, REDIRECT_URI);
}

test('a provider that redirects to this service knows the address, whatever it says about the user', async (context) => {
  for (const [error, problem] of [['login_required'], ['unauthorized_client', 'client']] as const) {
    const issuer = await startProvider(context, {
      authorize: (query) => ({ status: 302, location: `${query.get('redirect_uri')}?error=${error}` }),
    });
    assert.deepEqual(await check(issuer), { redirectAddress: 'accepted', ...(problem && { problem }) });
  }
});

test('a provider that shows an error refuses the address, and one that shows a page does not reveal it', async (context) => {
  for (const [status, redirectAddress] of [
    [400, 'refused'],
    [200, 'unknown'],
    [500, 'unknown'],
  ] as const) {
    const issuer = await startProvider(context, { authorize: () => ({ status }) });
    assert.deepEqual(await check(issuer), { redirectAddress }, String(status));
  }
  const elsewhere = await startProvider(context, { authorize: () => ({ status: 302, location: '/login' }) });
  assert.deepEqual(await check(elsewhere), { redirectAddress: 'unknown' });
});

test('a provider without endpoints or keys signs in no user', async (context) => {
  const without = await startProvider(context, { keys: [], authorize: () => ({ status: 200 }) });
  assert.deepEqual(await check(without), { problem: 'keys', redirectAddress: 'unknown' });
  assert.deepEqual(await check(`${without}/other`), { problem: 'discovery', redirectAddress: 'unknown' });
});
