import type { IdentifiedUser } from '@poolgate/provider';
import type { WebSession } from '../../web-sessions/web-session.ts';
import { presentSessionUser } from '../session-user.ts';

/** A user who is signed in at an application, with the user's groups in the pool. */
export interface ForwardedUser {
  readonly session: Pick<WebSession, 'content' | 'caller'>;
  readonly groups: readonly string[];
}

/**
 * The headers that tell an application who is signed in. All of them are always set, so that a proxy which copies them overwrites the
 * client's own. Percent-encoded UTF-8, with commas between groups. An unverified address is empty, because the user may have entered
 * another person's.
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

/** The same for the user of an access token. */
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

// A session's user is the same object while its tokens are unchanged.
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
