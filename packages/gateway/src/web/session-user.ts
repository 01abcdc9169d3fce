import type { Static, WEB_ROUTES } from '@poolgate/contract';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import type { SessionContent } from '../web-sessions/session-content.ts';
import type { WebSession } from '../web-sessions/web-session.ts';

type SessionUser = NonNullable<Static<(typeof WEB_ROUTES)['webSession']['responses'][200]['schema']>['user']>;

/** Claims about the token itself. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set([
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'auth_time',
  'acr',
  'amr',
  'sid',
  'origin_jti',
  'event_id',
  'token_use',
  'nonce',
  'at_hash',
  'identities',
]);

/** The claims of a session's ID token, which the service received from the provider directly. */
export function presentSessionUser({ content, caller }: Pick<WebSession, 'content' | 'caller'>): SessionUser {
  const known = userByContent.get(content);
  if (known !== undefined) return known;
  const user = readUser({ content, caller });
  userByContent.set(content, user);
  return user;
}

// The tokens of a content never change.
const userByContent = new WeakMap<SessionContent, SessionUser>();

function readUser({ content, caller }: Pick<WebSession, 'content' | 'caller'>): SessionUser {
  const claims = readUnverifiedClaims(content.idToken) ?? {};
  const { email, phone_number: phone } = claims;
  return {
    sub: caller.sub,
    username: caller.username,
    email: typeof email === 'string' ? email : null,
    email_verified: claims.email_verified === true || claims.email_verified === 'true',
    ...(typeof phone === 'string' ? { phone_number: phone } : {}),
    groups: [...caller.groups],
    attributes: readAttributes(claims),
  };
}

function readAttributes(claims: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]): [string, string][] => {
      if (OF_THE_TOKEN.has(name) || name.startsWith('cognito:')) return [];
      const text = toAttributeText(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** An attribute is a string; OpenID Connect (Core §5.1) makes some of them booleans, numbers and an address. */
function toAttributeText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  const { formatted }: { readonly formatted?: unknown } = Object(value);
  return typeof formatted === 'string' ? formatted : undefined;
}
