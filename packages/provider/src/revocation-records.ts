/** The rows that revoke tokens before they expire. The issuer of tokens writes them and API guards read them, both with this module. */
const DAY_MS = 86_400_000;
/** The maximum lifetime of an access token in Cognito. */
const ACCESS_TOKEN_MS = DAY_MS;
/** The maximum lifetime of a refresh token in Cognito. */
const REFRESH_TOKEN_MS = 3650 * DAY_MS;

/** A revocation. */
export interface RevocationRecord {
  readonly userPoolId: string;
  /** `login:<origin_jti>`, `user:<sub>`, `token:<jti>` of a machine, or `gone:<sub>`: the tombstone of a deleted user. */
  readonly subject: string;
  /** Refuses tokens issued before this time. For a user, `iat` decides; for a login or a deleted user, all tokens are refused. */
  readonly endedAtMs: number;
  /** After this time, all affected tokens have expired and the row can be deleted. */
  readonly expiresAtMs: number;
}

const toLoginSubject = (originJti: string): string => `login:${originJti}`;
const toUserSubject = (sub: string): string => `user:${sub}`;
const TOMBSTONE = 'gone:';

/**
 * Revokes one login as of now.
 * @param isRefreshable true if its refresh token stays valid, so that its access tokens must be refused for the refresh token's lifetime
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

/** Revokes a machine's access token, which belongs to no login. */
export function machineTokenRevocation(userPoolId: string, jti: string, nowMs: number): RevocationRecord {
  return { userPoolId, subject: machineTokenSubject(jti), endedAtMs: nowMs, expiresAtMs: nowMs + ACCESS_TOKEN_MS };
}

/** The subject of a token's {@link machineTokenRevocation}. */
export function machineTokenSubject(jti: string): string {
  return `token:${jti}`;
}

/** Revokes every current login of a user: access tokens issued until now are refused. */
export function userRevocation(userPoolId: string, sub: string, nowMs: number): RevocationRecord {
  return { userPoolId, subject: toUserSubject(sub), endedAtMs: nowMs, expiresAtMs: nowMs + ACCESS_TOKEN_MS };
}

/** Keeps a deleted user out until all of their tokens have expired. */
export function createTombstone(userPoolId: string, sub: string, nowMs: number): RevocationRecord {
  return { userPoolId, subject: tombstoneSubject(sub), endedAtMs: nowMs, expiresAtMs: nowMs + REFRESH_TOKEN_MS };
}

/** The subject of a user's {@link createTombstone}. */
export function tombstoneSubject(sub: string): string {
  return `${TOMBSTONE}${sub}`;
}

/** Returns the user of a tombstone; undefined for other rows. */
export function parseTombstoneSubject({ subject }: Pick<RevocationRecord, 'subject'>): string | undefined {
  return subject.startsWith(TOMBSTONE) ? subject.slice(TOMBSTONE.length) : undefined;
}

/** The claims of an access token. */
export interface RevocableToken {
  readonly sub: string;
  /** Its `origin_jti`; undefined if it does not name its login. */
  readonly originJti: string | undefined;
  /** Its `iat`: whole seconds, rounded down. */
  readonly issuedAtSeconds: number;
}

/** The subjects whose rows decide whether a token is valid. */
export function revocationSubjects({ sub, originJti }: Pick<RevocableToken, 'sub' | 'originJti'>): readonly string[] {
  return [toUserSubject(sub), tombstoneSubject(sub), ...(originJti === undefined ? [] : [toLoginSubject(originJti)])];
}

/** `unsure`: every login of the user was revoked in the second in which the token was issued, and only the provider knows the order. */
export type TokenState = 'active' | 'revoked' | 'unsure';

/** Checks a token against the rows of its {@link revocationSubjects}. */
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
