import type { RevocationRecord } from '@poolgate/provider';

/** The parts of a session that a refresh changes. */
export interface WebSessionTokens {
  /** Tokens, CSRF secret and proofs, encrypted. */
  readonly contentEncrypted: string;
  /** When the access token in it expires. */
  readonly tokensExpireAtMs: number;
  /** When its tokens were last received from the provider. */
  readonly refreshedAtMs: number;
}

/** A browser session. */
export interface WebSessionRecord extends WebSessionState, WebSessionTokens {}

/** A browser session without its content. Its id exists only in the browser's cookie. */
export interface WebSessionState extends Omit<WebSessionTokens, 'contentEncrypted'> {
  /** SHA-256 of the id in hex. The id has 256 random bits. */
  readonly idDigestHex: string;
  /** Identifies the session and those that replace it at a step-up, so that related data stays connected. Random; grants nothing. */
  readonly familyId: string;
  readonly userPoolId: string;
  readonly sub: string;
  /** The `origin_jti` of its tokens; null if the pool provides none. */
  readonly originJti: string | null;
  /** Whether its user stays signed in after the browser is closed. */
  readonly staysSignedIn: boolean;
  readonly createdAtMs: number;
  /** When it was last used, accurate to a minute. */
  readonly seenAtMs: number;
  /** When it ends, despite any activity. */
  readonly endsAtMs: number;
  /** When it ends without further activity; never later than `endsAtMs`. */
  readonly expiresAtMs: number;
}

/** A session whose content the reader has cached. */
export interface CachedWebSession {
  readonly idDigestHex: string;
  /** The version of the content, which never changes without it. */
  readonly refreshedAtMs: number;
  readonly userPoolId: string;
  /** The subjects whose revocations count, three at most. */
  readonly subjects: readonly string[];
}

/** The current state of a session whose content the reader has cached. */
export interface WebSessionUpdate {
  readonly state: WebSessionState;
  /** Null if the content is unchanged. */
  readonly contentEncrypted: string | null;
  /** The revocations of the subjects. */
  readonly revocations: readonly Pick<RevocationRecord, 'subject' | 'endedAtMs'>[];
}

/** A ticket that identifies a session to an application on another host. Its text exists only in one redirect. */
export interface WebTicketRecord {
  /** SHA-256 of the ticket, hex. */
  readonly digestHex: string;
  readonly familyId: string;
  /** The application's origin. */
  readonly origin: string;
  /** SHA-256, in hex, of the secret in a cookie of the application's host. */
  readonly browserDigestHex: string;
  /** The address at the application that the browser requested; null if a previous version stored the ticket. */
  readonly returnTo: string | null;
  readonly expiresAtMs: number;
}

/** Stores pending tickets. */
export interface WebTicketRecords {
  insert(ticket: WebTicketRecord): Promise<void>;
  /** Reads and removes a ticket. Defined for exactly one caller. */
  consume(digestHex: string, nowMs: number): Promise<WebTicketRecord | undefined>;
}

/** Stores browser sessions. */
export interface WebSessionRecords {
  insert(session: WebSessionRecord): Promise<void>;
  /** Replaces a session with another one, in one write. False, without any effect, if the old one has ended. */
  replace(idDigestHex: string, session: WebSessionRecord, nowMs: number): Promise<boolean>;
  /** Finds an active session with one indexed read. */
  find(idDigestHex: string, nowMs: number): Promise<WebSessionRecord | undefined>;
  /** The same for a session with cached content, including the revocations of its subjects, with one statement. */
  findKnown(known: CachedWebSession, nowMs: number): Promise<WebSessionUpdate | undefined>;
  /** Finds an active session by its family. */
  findByFamily(familyId: string, nowMs: number): Promise<WebSessionRecord | undefined>;
  /** Records that a session was used. */
  touch(idDigestHex: string, seenAtMs: number, expiresAtMs: number): Promise<void>;
  /**
   * Gives one caller the exclusive right to refresh a session whose tokens are still those of `refreshedAtMs`, until the lease ends. True
   * for exactly one.
   */
  lease(idDigestHex: string, refreshedAtMs: number, lease: WebSessionLease, nowMs: number): Promise<boolean>;
  /** Stores the result of a refresh. False if the session or the lease no longer exists. */
  renew(idDigestHex: string, leaseId: string, tokens: WebSessionTokens): Promise<boolean>;
  /** Releases a lease without a result. */
  release(idDigestHex: string, leaseId: string): Promise<void>;
  /** Deletes a session: defined for exactly one caller. */
  end(idDigestHex: string): Promise<WebSessionRecord | undefined>;
}

/** The holder and end of the exclusive right to refresh a session. */
export interface WebSessionLease {
  readonly id: string;
  readonly untilMs: number;
}
