import type { Page } from './page.ts';
import type { ClientSessionRecord, LoginRecord, UserRecord } from './records.ts';

/** A login with its user, as of one moment. */
export interface LoginWithUser {
  readonly login: LoginRecord;
  readonly user: UserRecord | undefined;
  /** Whether its device was confirmed and not forgotten since. */
  readonly hasConfirmedDevice: boolean;
}

/** A client session that has just ended. */
export type EndedClientSession = Pick<ClientSessionRecord, 'clientId' | 'sessionId' | 'endsGrants'>;

/** Reads logins, which are families of tokens. */
export interface LoginReads {
  byId(id: string): Promise<LoginRecord | undefined>;
  /** Uses a single statement. */
  byIdWithUser(id: string): Promise<LoginWithUser | undefined>;
  /**
   * Lists a user's active logins (neither revoked nor past their refresh expiry) after the cursor, at most `limit`. Newest first, then by
   * id.
   */
  listActive(
    poolId: string,
    username: string,
    nowMs: number,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<LoginRecord>>;
}

/** Reads and writes logins. */
export interface LoginRepository extends LoginReads {
  insert(login: LoginRecord): Promise<void>;
  /** Moves a login from one refresh generation to the next. True for exactly one caller. */
  rotate(id: string, fromGeneration: number, nowMs: number): Promise<boolean>;
  /** Revokes a login. False if it was already revoked or is unknown. */
  revoke(id: string, nowMs: number): Promise<boolean>;
  /**
   * Revokes the active logins of a user that exceed the limit. Of those neither revoked nor past their refresh expiry, the `most` that were
   * used last stay. A login is used when it starts and when its refresh token rotates. At most 100 are revoked at a time.
   * @param keptId an additional login that always stays
   * @param known the result of {@link listExcess} in the same write
   * @returns the revoked logins
   */
  revokeExcess(
    poolId: string,
    username: string,
    most: number,
    nowMs: number,
    keptId?: string,
    known?: readonly string[],
  ): Promise<readonly Pick<LoginRecord, 'id' | 'clientId'>[]>;
  /** Returns the ids of the active logins of a user that exceed the limit, as in {@link revokeExcess}. */
  listExcess(poolId: string, username: string, most: number, nowMs: number): Promise<readonly string[]>;
  /** Revokes every active login of a user. */
  revokeAllOf(poolId: string, username: string, nowMs: number): Promise<void>;
  /**
   * Revokes every active login of a device.
   * @returns the ids of the revoked logins
   */
  revokeAllOfDevice(
    poolId: string,
    username: string,
    deviceKey: string,
    nowMs: number,
  ): Promise<readonly LoginRecord['id'][]>;
  /** Records that a client is signed in through a session. A session that has ended stays unchanged. */
  putClientSession(session: ClientSessionRecord): Promise<void>;
  /**
   * Ends the client sessions that belong to a login.
   * @param expiresAtMs until when the clients can be notified
   * @returns those that were still active
   */
  endClientSessions(loginId: string, nowMs: number, expiresAtMs: number): Promise<readonly EndedClientSession[]>;
  /** Ends all client sessions of a user. */
  endClientSessionsOf(poolId: string, username: string, nowMs: number, expiresAtMs: number): Promise<void>;
  /** Returns the ids of a client's active logins of a session. */
  listGrantsOfSession(session: Pick<EndedClientSession, 'clientId' | 'sessionId'>): Promise<readonly string[]>;
  /** Lets a login take over the session of another login of the same user. */
  continueSession(fromId: string, toId: string): Promise<void>;
  /** Detaches a login from its device. It can no longer be refreshed, but its access tokens stay valid until they expire. */
  detachDevice(id: string, nowMs: number): Promise<void>;
}
