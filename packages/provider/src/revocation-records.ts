/**
 * The rows by which tokens are refused before they expire. Who makes the tokens writes them, who guards an API reads them: both by this module.
 */
const DAY_MS = 86_400_000;
/** The longest life that Cognito allows an access token. */
const ACCESS_TOKEN_MS = DAY_MS;
/** The longest life that Cognito allows a refresh token. */
const REFRESH_TOKEN_MS = 3650 * DAY_MS;

/** Something that was revoked before its tokens expired. */
export interface RevocationRecord {
  readonly userPoolId: string;
  /** `login:<origin_jti>`, `user:<sub>`, `token:<jti>` of a machine, or `gone:<sub>`: the tombstone of a deleted user. */
  readonly subject: string;
  /** Tokens issued before this time (by `iat` for a user; any for a login or a deleted user) are refused. */
  readonly endedAtMs: number;
  /** After this time no token can be alive any more, and the row may go. */
  readonly expiresAtMs: number;
}

const toLoginSubject = (originJti: string): string => `login:${originJti}`;
const toUserSubject = (sub: string): string => `user:${sub}`;
const TOMBSTONE = 'gone:';

/**
 * Revokes one login, now.
 * @param isRefreshable true: nobody ends its refresh token, so that access tokens of it are made and must be refused for as long as that lives
 */
export function loginRevocation(
  userPoolId: string,
  originJti: string,
  nowMs: number,
  isRefreshable: boolean = false,
): RevocationRecord {
  const expiresAtMs = nowMs + (isRefreshable ? REFRESH_TOKEN_MS : ACCESS_TOKEN_MS);
  return { userPoolId, subject: toLoginSubject(originJti), endedAtMs: nowMs, expiresAtMs };
}

/** Revokes an access token that belongs to no login, because a machine has it. */
export function machineTokenRevocation(userPoolId: string, jti: string, nowMs: number): RevocationRecord {
  return { userPoolId, subject: machineTokenSubject(jti), endedAtMs: nowMs, expiresAtMs: nowMs + ACCESS_TOKEN_MS };
}

/** The subject of the {@link machineTokenRevocation} of a token. */
export function machineTokenSubject(jti: string): string {
  return `token:${jti}`;
}

/** Revokes every login of a user that there is now: access tokens that were issued until now are refused. */
export function userRevocation(userPoolId: string, sub: string, nowMs: number): RevocationRecord {
  return { userPoolId, subject: toUserSubject(sub), endedAtMs: nowMs, expiresAtMs: nowMs + ACCESS_TOKEN_MS };
}

/** Keeps a deleted user away for as long as any token of it could live. */
export function createTombstone(userPoolId: string, sub: string, nowMs: number): RevocationRecord {
  return { userPoolId, subject: tombstoneSubject(sub), endedAtMs: nowMs, expiresAtMs: nowMs + REFRESH_TOKEN_MS };
}

/** The subject of the {@link createTombstone} of a user. */
export function tombstoneSubject(sub: string): string {
  return `${TOMBSTONE}${sub}`;
}

/** Whose tombstone a row is; undefined where it is none. */
export function parseTombstoneSubject({ subject }: Pick<RevocationRecord, 'subject'>): string | undefined {
  return subject.startsWith(TOMBSTONE) ? subject.slice(TOMBSTONE.length) : undefined;
}

/** What an access token says of itself. */
export interface RevocableToken {
  readonly sub: string;
  /** Its `origin_jti`; undefined where it does not tell its login. */
  readonly originJti: string | undefined;
  /** Its `iat`: whole seconds, rounded down. */
  readonly issuedAtSeconds: number;
}

/** The subjects whose rows say whether a token counts. */
export function revocationSubjects({ sub, originJti }: Pick<RevocableToken, 'sub' | 'originJti'>): readonly string[] {
  return [toUserSubject(sub), tombstoneSubject(sub), ...(originJti === undefined ? [] : [toLoginSubject(originJti)])];
}

/** `unsure`: every login of the user was revoked in the very second in which the token was issued, and only the provider knows what was first. */
export type TokenState = 'active' | 'revoked' | 'unsure';

/** Verifies a token by the rows of its {@link revocationSubjects}. */
export function tokenState(
  { sub, issuedAtSeconds }: RevocableToken,
  revocations: readonly Pick<RevocationRecord, 'subject' | 'endedAtMs'>[],
): TokenState {
  const user = toUserSubject(sub);
  if (revocations.some(({ subject }) => subject !== user)) return 'revoked';
  const [revocation] = revocations;
  if (revocation === undefined) return 'active';
  const revokedAtSeconds = Math.floor(revocation.endedAtMs / 1000);
  if (issuedAtSeconds === revokedAtSeconds) return 'unsure';
  return issuedAtSeconds < revokedAtSeconds ? 'revoked' : 'active';
}
