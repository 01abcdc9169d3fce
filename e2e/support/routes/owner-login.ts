import assert from 'node:assert/strict';
import { createBearerHeader } from '../requests/exchange.ts';
import { PASSWORD, requireTokens, type TestService } from '../services/test-service.ts';

/** The tokens of one login. */
export type LoginTokens = ReturnType<typeof requireTokens>;

/** A login by POST /login. */
export async function logIn(service: TestService, username: string, password = PASSWORD): Promise<LoginTokens> {
  return requireTokens(await service.post('/login', { username, password }));
}

/** Returns the latest code that an address received. */
export function findLatestCode(service: TestService, address: string): string {
  const code = service.outbox?.list(address).find((message) => message.code !== undefined)?.code;
  assert.ok(code, `${address} was sent a code`);
  return code;
}

/** Returns the token of the latest "this was not me" link that an address received. */
export function findNotMeToken(service: TestService, address: string): string {
  const texts = service.outbox?.list(address).map(({ text }) => text) ?? [];
  const [token] = texts.flatMap((text) => /#([\w-]{43})/.exec(text)?.slice(1) ?? []);
  assert.ok(token, `${address} was sent a link: ${texts.join('\n')}`);
  return token;
}

/** Returns how each endpoint that checks tokens responds to those of a login: true if it accepts them. Refreshing comes last. */
export async function listAcceptingEndpoints(
  service: TestService,
  { access, refresh }: LoginTokens,
): Promise<Readonly<Record<string, boolean>>> {
  const profile = await service.get('/user/profile', createBearerHeader(access));
  const device = await service.get('/api/cognito/device', createBearerHeader(access));
  const cognitoApi = await service.call('GetUser', { AccessToken: access });
  const cognitoApiRefresh = await service.call('GetTokensFromRefreshToken', {
    ClientId: service.clientId,
    RefreshToken: refresh,
  });
  const route = await service.post('/token/refresh', { refresh_token: refresh });
  const statuses = { profile, device, cognitoApi, cognitoApiRefresh, route };
  return Object.fromEntries(Object.entries(statuses).map(([entryPoint, { status }]) => [entryPoint, status === 200]));
}
