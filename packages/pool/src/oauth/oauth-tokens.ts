import { type OAuthTokens, parseScopes, USER_SCOPE } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, MacPorts, RandomPort, Transaction } from '../kernel/ports.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import {
  type AuthenticationResult,
  createLogin,
  type LoginOrigin,
  signTokens,
  type TokenSubject,
} from '../tokens/login-tokens.ts';
import type { TokenTriggerInput } from '../tokens/token-changes.ts';
import type { PublishedKeyPorts, SigningPorts } from '../tokens/token-ports.ts';
import { recordClientSession } from './client-sessions.ts';

/** The source of tokens, as a trigger receives it. */
export function createHostedAuthTriggerInput(scope: string): TokenTriggerInput {
  return { source: 'TokenGeneration_HostedAuth', scopes: parseScopes(scope) };
}

/** Returns the tokens of a login in the form of the OAuth endpoints. */
export async function signOAuthTokens(
  ports: SigningPorts & MacPorts & PublishedKeyPorts & RandomPort,
  subject: Parameters<typeof signTokens>[1],
): Promise<OAuthTokens> {
  return toOAuthTokens(subject.login, await signTokens(ports, subject));
}

/** Creates and records a user's login at an application, in the write that claims the login behind it. */
export async function createApplicationLogin(
  ports: EventPorts,
  transaction: Transaction<'events' | 'logins' | 'revocations'>,
  { pool, client, user }: TokenSubject,
  from: LoginOrigin,
  how: { readonly grant: 'authorization_code' | 'implicit'; readonly session: string },
): Promise<{ readonly user: UserRecord; readonly login: LoginRecord }> {
  const login = await createLogin(ports, transaction, { pool, client, user }, from);
  await recordClientSession(transaction, { pool, client, user }, login, how.session);
  const details = { grant: how.grant, login: login.id, session: how.session };
  const actor = { kind: 'user', id: user.sub } as const;
  await recordEvent(ports, transaction, { type: 'login.succeeded', pool, user, clientId: client.id, actor, details });
  return { user, login };
}

/** Describes the scope of a token compared with the granted scope. */
export function toScopeResponse(granted: string, held: string): Pick<OAuthTokens, 'Scope' | 'IsScopeChanged'> {
  const [before, now] = [new Set(parseScopes(granted)), new Set(parseScopes(held))];
  return { Scope: held, IsScopeChanged: before.symmetricDifference(now).size > 0 };
}

/** Reads the scope of a token that was just signed here, because a trigger may have changed it. */
function readTokenScope(accessToken: string): string {
  const { scope = '' } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return String(scope);
}

/** What a login was granted. */
export function readGrantedScope({ scope }: Pick<LoginRecord, 'scope'>): string {
  return scope ?? USER_SCOPE;
}

/** Returns the tokens of a login. A login by the API includes an ID token; others include one if `openid` was requested. */
export function toOAuthTokens(
  login: Pick<LoginRecord, 'scope'>,
  { AccessToken = '', IdToken, RefreshToken, ExpiresIn = 0 }: AuthenticationResult,
): OAuthTokens {
  const hasIdToken = IdToken !== undefined && (login.scope === null || parseScopes(login.scope).includes('openid'));
  return {
    AccessToken,
    ...(hasIdToken && { IdToken }),
    ...(RefreshToken !== undefined && { RefreshToken }),
    ExpiresIn,
    ...toScopeResponse(readGrantedScope(login), readTokenScope(AccessToken)),
  };
}
