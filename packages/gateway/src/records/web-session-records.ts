import type { RevocationRecord } from '@poolgate/provider';

/** What a refresh changes of a session. */
export interface WebSessionTokens {
  /** Tokens, CSRF secret and proofs, encrypted. */
  readonly contentEncrypted: string;
  /** When the access token in it expires. */
  readonly tokensExpireAtMs: number;
  /** When its tokens were last had from the provider. */
  readonly refreshedAtMs: number;
}

/** The session of a browser. */
export interface WebSessionRecord extends WebSessionState, WebSessionTokens {}

/** The session of a browser, without its content. Its id is in the browser's cookie, and nowhere else. */
export interface WebSessionState extends Omit<WebSessionTokens, 'contentEncrypted'> {
  /** SHA-256 of the id, hex; the id has 256 random bits. */
  readonly idDigestHex: string;
  /** Names the session and those that take its place at a step-up: what belongs to it for as long as it lives. Random; opens nothing. */
  readonly familyId: string;
  readonly userPoolId: string;
  readonly sub: string;
  /** The `origin_jti` of its tokens; null where the pool gives none. */
  readonly originJti: string | null;
  /** Whether its user stays signed in when the browser is closed. */
  readonly staysSignedIn: boolean;
  readonly createdAtMs: number;
  /** When it was last used, give or take a minute. */
  readonly seenAtMs: number;
  /** When it ends, whatever is done with it. */
  readonly endsAtMs: number;
  /** When it ends if nothing more is done with it; never later than `endsAtMs`. */
  readonly expiresAtMs: number;
}

/** A session whose content the reader has. */
export interface CachedWebSession {
  readonly idDigestHex: string;
  /** Of the content: it never changes without this. */
  readonly refreshedAtMs: number;
  readonly userPoolId: string;
  /** Whose revocations count: three at most. */
  readonly subjects: readonly string[];
}

/** What has become of a session whose content the reader has. */
export interface WebSessionUpdate {
  readonly state: WebSessionState;
  /** Null where the content is still the same. */
  readonly contentEncrypted: string | null;
  /** What is revoked among the subjects. */
  readonly revocations: readonly Pick<RevocationRecord, 'subject' | 'endedAtMs'>[];
}

/** What makes a session known at an application of another host. Its text is in one redirect, and nowhere else. */
export interface WebTicketRecord {
  /** SHA-256 of the ticket, hex. */
  readonly digestHex: string;
  readonly familyId: string;
  /** Of the application. */
  readonly origin: string;
  /** SHA-256 of what the browser keeps in a cookie of the application's host, hex. */
  readonly browserDigestHex: string;
  /** The address at the application that the browser asked for; null where a version before stored the ticket. */
  readonly returnTo: string | null;
  readonly expiresAtMs: number;
}

/** Tickets that wait. */
export interface WebTicketRecords {
  insert(ticket: WebTicketRecord): Promise<void>;
  /** Reads and removes a ticket. Defined for exactly one caller. */
  consume(digestHex: string, nowMs: number): Promise<WebTicketRecord | undefined>;
}

/** The sessions of browsers. */
export interface WebSessionRecords {
  insert(session: WebSessionRecord): Promise<void>;
  /** Puts a session in the place of another one, in one write. False, and nothing is done, where that has ended. */
  replace(idDigestHex: string, session: WebSessionRecord, nowMs: number): Promise<boolean>;
  /** A session that lives: one indexed read. */
  find(idDigestHex: string, nowMs: number): Promise<WebSessionRecord | undefined>;
  /** The same of one whose content the reader has, with the revocations of its subjects: one statement. */
  findKnown(known: CachedWebSession, nowMs: number): Promise<WebSessionUpdate | undefined>;
  /** A session that lives, by its family. */
  findByFamily(familyId: string, nowMs: number): Promise<WebSessionRecord | undefined>;
  /** Notes that a session was used. */
  touch(idDigestHex: string, seenAtMs: number, expiresAtMs: number): Promise<void>;
  /**
   * Gives one caller the right to refresh a session whose tokens are still those of `refreshedAtMs`, until then or until it is done. True
   * for exactly one.
   */
  lease(idDigestHex: string, refreshedAtMs: number, lease: WebSessionLease, nowMs: number): Promise<boolean>;
  /** Writes the outcome of a refresh. False where the session or the lease is gone. */
  renew(idDigestHex: string, leaseId: string, tokens: WebSessionTokens): Promise<boolean>;
  /** Gives a lease back without an outcome. */
  release(idDigestHex: string, leaseId: string): Promise<void>;
  /** Removes a session: defined for exactly one caller. */
  end(idDigestHex: string): Promise<WebSessionRecord | undefined>;
}

/** Who refreshes a session, and until when nobody else does. */
export interface WebSessionLease {
  readonly id: string;
  readonly untilMs: number;
}
