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
   * Revokes the active logins of a user that are too many: of those neither revoked nor past their refresh expiry the `most` that were
   * used last stay (a login is used when it begins and when its refresh token rotates). At most 100 are revoked at once.
   * @param keptId one that stays in any case, beside them
   * @param known what {@link listExcess} gave in the same write
   * @returns those that were revoked
   */
  revokeExcess(
    poolId: string,
    username: string,
    most: number,
    nowMs: number,
    keptId?: string,
    known?: readonly string[],
  ): Promise<readonly Pick<LoginRecord, 'id' | 'clientId'>[]>;
  /** The ids of the active logins of a user that are too many, as {@link revokeExcess} finds them. */
  listExcess(poolId: string, username: string, most: number, nowMs: number): Promise<readonly string[]>;
  /** Revokes every live login of a user. */
  revokeAllOf(poolId: string, username: string, nowMs: number): Promise<void>;
  /**
   * Revokes every live login of a device.
   * @returns the ids of those that were revoked
   */
  revokeAllOfDevice(
    poolId: string,
    username: string,
    deviceKey: string,
    nowMs: number,
  ): Promise<readonly LoginRecord['id'][]>;
  /** Records that a client is signed in through a session. Of a session that has ended nothing changes. */
  putClientSession(session: ClientSessionRecord): Promise<void>;
  /**
   * Ends the sessions of clients that go with a login.
   * @param expiresAtMs until when the clients can be told
   * @returns those that had not ended
   */
  endClientSessions(loginId: string, nowMs: number, expiresAtMs: number): Promise<readonly EndedClientSession[]>;
  /** Ends all sessions that clients have of a user. */
  endClientSessionsOf(poolId: string, username: string, nowMs: number, expiresAtMs: number): Promise<void>;
  /** The ids of the active logins that a client has through a session. */
  listGrantsOfSession(session: Pick<EndedClientSession, 'clientId' | 'sessionId'>): Promise<readonly string[]>;
  /** Lets a login go on with the session of another one of the same user. */
  continueSession(fromId: string, toId: string): Promise<void>;
  /** Detaches a login from its device: it can be refreshed no more, while its access tokens live out their time. */
  detachDevice(id: string, nowMs: number): Promise<void>;
}
