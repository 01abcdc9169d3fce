import type { IdentifiedUser } from '@poolgate/provider';
import type { WebSession } from '../../web-sessions/web-session.ts';
import { presentSessionUser } from '../session-user.ts';

/** A user who is signed in at an application, and the groups that the pool keeps of this user. */
export interface ForwardedUser {
  readonly session: Pick<WebSession, 'content' | 'caller'>;
  readonly groups: readonly string[];
}

/**
 * The headers that tell an application who is signed in. All of them are always there: a proxy that copies them overwrites what a client
 * sends under their names. Percent-encoded UTF-8, groups with commas between them. An address that is not verified is left empty: the user
 * may have entered the address of somebody else.
 */
export function toUserHeaders(forwarded: ForwardedUser | undefined): Readonly<Record<string, string>> {
  if (forwarded === undefined) return NOBODY;
  const user = presentSessionUser(forwarded.session);
  const known = headersByUser.get(user);
  if (known?.groups === forwarded.groups) return known.headers;
  const headers = createUserHeaders(user, forwarded.groups);
  headersByUser.set(user, { groups: forwarded.groups, headers });
  return headers;
}

/** The same of the user of an access token. */
export function toTokenUserHeaders({ Sub, Username, VerifiedEmail, Groups }: IdentifiedUser): Headers {
  const user = {
    sub: Sub,
    username: Username,
    email: VerifiedEmail ?? null,
    email_verified: VerifiedEmail !== undefined,
  };
  return createUserHeaders(user, Groups);
}

type SessionUser = ReturnType<typeof presentSessionUser>;
type Headers = Readonly<Record<string, string>>;

// A session's user is the same object as long as its tokens are.
const headersByUser = new WeakMap<SessionUser, { readonly groups: readonly string[]; readonly headers: Headers }>();

function createUserHeaders(
  {
    sub,
    username,
    email,
    email_verified: isVerified,
  }: Pick<SessionUser, 'sub' | 'username' | 'email' | 'email_verified'>,
  groups: readonly string[],
) {
  return {
    'x-poolgate-sub': encodeURIComponent(sub),
    'x-poolgate-username': encodeURIComponent(username),
    'x-poolgate-email': isVerified ? encodeURIComponent(email ?? '') : '',
    'x-poolgate-email-verified': String(isVerified),
    'x-poolgate-groups': groups.map(encodeURIComponent).join(','),
  };
}

const NOBODY: Headers = {
  'x-poolgate-sub': '',
  'x-poolgate-username': '',
  'x-poolgate-email': '',
  'x-poolgate-email-verified': '',
  'x-poolgate-groups': '',
};
