import type {
  BucketSize,
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  EventRecord,
  GroupRecord,
  LockoutRecord,
  LoginRecord,
  MessageRecord,
  NotMeLinkRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  RegistrationRecord,
  SigningKeyRecord,
  TotpRecord,
  UserRecord,
  UserSearch,
  UserWithCredential,
} from './records.ts';
import type { RevocationRepository } from './revocations.ts';

/** A page of a list: the rows and where the next page starts, undefined on the last one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | undefined;
}

/** What can be asked of the store at any time. A read sees every write that was acknowledged before it. */
export interface PoolReads {
  pool(id: string): Promise<PoolRecord | undefined>;
  /** The pool that was made first: the one that the gateway serves by default. */
  firstPool(): Promise<PoolRecord | undefined>;
  /** Pools by id, `limit` at most, after the cursor. */
  pools(limit: number, cursor: string | undefined): Promise<Page<PoolRecord>>;
  client(id: string): Promise<ClientRecord | undefined>;
  /** All clients of a pool, oldest first. */
  clients(poolId: string): Promise<readonly ClientRecord[]>;
  /** The user whom a canonical name means (user name, sub, or alias; see `UserNames`). */
  userByName(poolId: string, name: string): Promise<UserWithCredential | undefined>;
  user(poolId: string, username: string): Promise<UserRecord | undefined>;
  /** The registration of a user; undefined where the user is confirmed, or never registered. */
  registration(poolId: string, username: string): Promise<RegistrationRecord | undefined>;
  /** The registrations that wait for a canonical name, those that wait longest first, `limit` at most. Whether they have expired is for the caller to ask. */
  registrations(poolId: string, name: string, limit: number): Promise<readonly RegistrationRecord[]>;
  /** Users by user name, `limit` at most, after the cursor. Who registered aside is not among them, here and in what searches or counts. */
  users(poolId: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  /** How many users a pool has. It counts them: not for what happens often. */
  countUsers(poolId: string): Promise<number>;
  /**
   * Users that meet a condition, `limit` at most, after the cursor: by the value, then by user name. One indexed read,
   * however many users there are.
   */
  searchUsers(poolId: string, search: UserSearch, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  group(poolId: string, name: string): Promise<GroupRecord | undefined>;
  /** Groups by name, `limit` at most, after the cursor. */
  groups(poolId: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>>;
  /** The members of a group by user name, `limit` at most, after the cursor. */
  groupMembers(poolId: string, groupName: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  /** The groups of a user by name, `limit` at most, after the cursor. */
  groupsOfUser(poolId: string, username: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>>;
  login(id: string): Promise<LoginRecord | undefined>;
  /** The logins of a user that are neither revoked nor past their refresh expiry, newest first (same instant: by id), `limit` at most, after the cursor. */
  activeLogins(
    poolId: string,
    username: string,
    nowMs: number,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<LoginRecord>>;
  code(poolId: string, username: string, purpose: CodePurpose): Promise<CodeRecord | undefined>;
  signingKeys(poolId: string): Promise<readonly SigningKeyRecord[]>;
  lockout(poolId: string, subject: string): Promise<LockoutRecord | undefined>;
  device(poolId: string, username: string, key: string): Promise<DeviceRecord | undefined>;
  /** Devices of a user, oldest first, `limit` at most, after the cursor. */
  devices(poolId: string, username: string, limit: number, cursor: string | undefined): Promise<Page<DeviceRecord>>;
  totp(poolId: string, username: string, state: TotpRecord['state']): Promise<TotpRecord | undefined>;
  passkey(poolId: string, credentialId: string): Promise<PasskeyRecord | undefined>;
  /** All passkeys of a user, oldest first (same instant: by credential id). */
  passkeys(poolId: string, username: string): Promise<readonly PasskeyRecord[]>;
  countRecoveryCodes(poolId: string, username: string): Promise<number>;
  /** Dead-lettered messages of a pool, newest first. */
  deadMessages(poolId: string, limit: number): Promise<readonly MessageRecord[]>;
}

/**
 * What can be done inside one atomic write. Single-use things are consumed by one statement,
 * so that two replicas cannot both succeed. A conflict of unique keys rejects with {@link ConflictError}.
 */
export interface PoolTransaction extends PoolReads {
  readonly revocations: RevocationRepository;
  /** As outside a write; and until the write ends, no other one changes or deletes this user. */
  userByName(poolId: string, name: string): Promise<UserWithCredential | undefined>;
  /** As outside a write; and until the write ends, no other one that lists them adds to them: a limit on their number holds. */
  passkeys(poolId: string, username: string): Promise<readonly PasskeyRecord[]>;
  insertPool(pool: PoolRecord): Promise<void>;
  insertClient(client: ClientRecord): Promise<void>;
  updatePool(
    id: string,
    change: Pick<PoolRecord, 'settings' | 'modifiedAtMs'> & Partial<Pick<PoolRecord, 'name'>>,
  ): Promise<void>;
  updateClient(
    id: string,
    change: Pick<ClientRecord, 'settings' | 'secretsEncrypted' | 'modifiedAtMs'> & Partial<Pick<ClientRecord, 'name'>>,
  ): Promise<void>;
  /** Deletes a pool with everything that belongs to it: clients, users, groups, keys, messages. Its events stay. False where there is none. */
  deletePool(id: string): Promise<boolean>;
  countPools(): Promise<number>;
  /** Deletes a client of a pool and its logins. False where the pool has no such client. */
  deleteClient(poolId: string, id: string): Promise<boolean>;
  /** Inserts a user together with the names under which it is found; all of them are unique in the pool. */
  insertUser(user: UserRecord, names: readonly string[]): Promise<void>;
  updateUser(
    poolId: string,
    username: string,
    change: Partial<Pick<UserRecord, 'status' | 'enabled' | 'attributes' | 'mfaMethods' | 'preferredMfa'>> &
      Pick<UserRecord, 'modifiedAtMs'>,
  ): Promise<void>;
  /** Deletes a user with everything that belongs to it. False where there is none. */
  deleteUser(poolId: string, username: string): Promise<boolean>;
  /** Sets or replaces the registration of an unconfirmed user. It ends by itself once the user's status is another one. */
  putRegistration(registration: RegistrationRecord): Promise<void>;
  /** Marks all registrations that wait for a name as contested. */
  contestRegistrations(poolId: string, name: string): Promise<void>;
  /** Deletes the users of all registrations that wait for a name, apart from one. */
  deleteRegistrations(poolId: string, name: string, exceptUsername: string): Promise<void>;
  /**
   * Takes away everything by which somebody could prove to be this user: password, passkeys, authenticators, recovery codes, devices,
   * codes and links that were sent.
   */
  deleteProofs(poolId: string, username: string): Promise<void>;
  /** Brings what the gateway keeps of a user in line with {@link deleteProofs}: no passkey or device is left. */
  clearLocalUser(poolId: string, sub: string, nowMs: number): Promise<void>;
  /** Goes with {@link deleteUser}: nothing of what the gateway keeps of the user is left. */
  deleteLocalUser(poolId: string, sub: string): Promise<void>;
  /** Rejects with {@link ConflictError} where the name is taken. */
  insertGroup(group: GroupRecord): Promise<void>;
  /** False where there is no such group. */
  updateGroup(
    poolId: string,
    name: string,
    change: Partial<Pick<GroupRecord, 'description' | 'precedence' | 'roleArn'>> & Pick<GroupRecord, 'modifiedAtMs'>,
  ): Promise<boolean>;
  /** Deletes a group and its memberships. False where there is none. */
  deleteGroup(poolId: string, name: string): Promise<boolean>;
  countGroups(poolId: string): Promise<number>;
  /** Puts a user into a group that exists. False where it was in it. */
  addGroupMember(poolId: string, groupName: string, username: string, nowMs: number): Promise<boolean>;
  /** False where it was not in it. */
  removeGroupMember(poolId: string, groupName: string, username: string): Promise<boolean>;
  /** Replaces all names of a user. */
  replaceUserNames(poolId: string, username: string, names: readonly string[]): Promise<void>;
  /** Sets or replaces the password of a user. */
  putCredential(credential: CredentialRecord): Promise<void>;

  /**
   * Reserves an attempt on a challenge session: counts one try and tells how many there were, this one included;
   * undefined where the session is spent already. The row appears with the first attempt.
   */
  reserveSession(id: string, expiresAtMs: number): Promise<number | undefined>;
  /** Spends a session. True for exactly one caller. */
  spendSession(id: string): Promise<boolean>;
  /** Both at once: counts one try of a session and spends it; undefined where it is spent already. */
  reserveAndSpendSession(id: string, expiresAtMs: number): Promise<number | undefined>;
  /** Undoes the spending, and not the counting. Only after {@link reserveAndSpendSession} in the same write. */
  unspendSession(id: string): Promise<void>;

  /** Sets the code of its purpose, voiding the one before. */
  putCode(code: CodeRecord): Promise<void>;
  /** Consumes a code. True for exactly one caller, and only while it is the current one. */
  consumeCode(poolId: string, username: string, purpose: CodePurpose, digestHex: string): Promise<boolean>;

  /** Voids a code that was not used. */
  deleteCode(poolId: string, username: string, purpose: CodePurpose): Promise<void>;

  /** Keeps a "this was not me" link. */
  insertNotMeLink(link: NotMeLinkRecord): Promise<void>;
  /** Takes a link away, by its digest. Defined for exactly one caller, and only before it expires. */
  takeNotMeLink(digestHex: string, nowMs: number): Promise<NotMeLinkRecord | undefined>;
  /** Removes the links of a user that were sent after one that expires at this time. */
  deleteLaterNotMeLinks(poolId: string, username: string, expiresAtMs: number): Promise<void>;

  /** Writes an event, and a delivery for each webhook that listens to its type. */
  appendEvent(event: EventRecord): Promise<void>;
  /**
   * The same in a write of its own, once this one is committed and before it resolves. Nothing depends on it: where it fails, this
   * write stands, and whoever opened the store hears of it.
   */
  appendEventAfterCommit(event: EventRecord): Promise<void>;

  insertLogin(login: LoginRecord): Promise<void>;
  /** Moves a login from one refresh generation to the next. True for exactly one caller. */
  rotateLogin(id: string, fromGeneration: number, nowMs: number): Promise<boolean>;
  /** Revokes a login. False where it was revoked or is unknown. */
  revokeLogin(id: string, nowMs: number): Promise<boolean>;
  /**
   * Revokes the active logins of a user that are too many: of those neither revoked nor past their refresh expiry the `most` that were
   * used last stay (a login is used when it begins and when its refresh token rotates). At most 100 are revoked at once.
   * @returns those that were revoked
   */
  revokeLoginsBeyond(
    poolId: string,
    username: string,
    most: number,
    nowMs: number,
  ): Promise<readonly Pick<LoginRecord, 'id' | 'clientId'>[]>;
  /** Revokes every live login of a user. */
  revokeLoginsOfUser(poolId: string, username: string, nowMs: number): Promise<void>;

  /** Detaches a login from its device: it can be refreshed no more, while its access tokens live out their time. */
  detachDevice(id: string, nowMs: number): Promise<void>;
  /**
   * Revokes every live login of a device.
   * @returns the ids of those that were revoked
   */
  revokeLoginsOfDevice(
    poolId: string,
    username: string,
    deviceKey: string,
    nowMs: number,
  ): Promise<readonly LoginRecord['id'][]>;

  /** Inserts a confirmed device; a key that is registered already rejects with {@link ConflictError}. */
  insertDevice(device: DeviceRecord): Promise<void>;
  /** False where the user has no such device. */
  updateDevice(
    poolId: string,
    username: string,
    key: string,
    change: Partial<Pick<DeviceRecord, 'name' | 'remembered' | 'lastIp' | 'lastAuthenticatedAtMs'>> &
      Pick<DeviceRecord, 'modifiedAtMs'>,
  ): Promise<boolean>;
  /** False where the user has no such device. */
  deleteDevice(poolId: string, username: string, key: string): Promise<boolean>;
  countDevices(poolId: string, username: string): Promise<number>;
  /** Makes every device of a user not remembered. */
  forgetTrustInDevices(poolId: string, username: string, nowMs: number): Promise<void>;

  /** Sets the authenticator of its state, replacing the one of the same state. */
  putTotp(totp: TotpRecord): Promise<void>;
  /** Takes an authenticator away. Defined for exactly one caller. */
  takeTotp(poolId: string, username: string, state: TotpRecord['state']): Promise<TotpRecord | undefined>;
  /** Uses up a time step of the active authenticator and all before it. True for exactly one caller. */
  useTotpStep(poolId: string, username: string, step: number): Promise<boolean>;

  /** Inserts a passkey; a credential id that the pool has already rejects with {@link ConflictError}. */
  insertPasskey(passkey: PasskeyRecord): Promise<void>;
  /** Records a use. True only where the counter is still the one that the use was judged by: for one of several at a time. */
  usePasskey(
    poolId: string,
    credentialId: string,
    use: { readonly fromCounter: number } & Pick<PasskeyRecord, 'counter' | 'isBackedUp'> & {
        readonly lastUsedAtMs: number;
      },
  ): Promise<boolean>;
  /** False where the user has no such passkey. */
  deletePasskey(poolId: string, username: string, credentialId: string): Promise<boolean>;
  /** Sets the started registration of its user and client, voiding the one before. */
  putPasskeyCeremony(ceremony: PasskeyCeremonyRecord): Promise<void>;
  /** Takes a started registration away, whichever client began it. Defined for exactly one caller, and only before it expires. */
  takePasskeyCeremony(
    poolId: string,
    username: string,
    challengeDigestHex: string,
    nowMs: number,
  ): Promise<PasskeyCeremonyRecord | undefined>;

  /** Replaces all recovery codes of a user by these keyed digests. */
  putRecoveryCodes(poolId: string, username: string, digestsHex: readonly string[], nowMs: number): Promise<void>;
  /** Uses up a recovery code. True for exactly one caller. */
  useRecoveryCode(poolId: string, username: string, digestHex: string): Promise<boolean>;

  enqueueMessage(message: MessageRecord): Promise<void>;
  /** Takes messages that are due and that nobody is at, oldest first, and leases them. No two callers get the same one. */
  leaseMessages(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly MessageRecord[]>;
  /** Marks a leased message just before it is given to the sender. False where the lease was lost. */
  handOverMessage(id: string, leasedUntilMs: number): Promise<boolean>;
  /** Removes a message that was delivered. */
  deleteMessage(id: string): Promise<void>;
  /** Gives a message back for a later try. */
  postponeMessage(id: string, nextTryAtMs: number, failure: string): Promise<void>;
  /** Moves a message to the dead letters: its content is erased, the record stays to be seen. */
  deadLetterMessage(id: string, nowMs: number, failure: string): Promise<void>;

  insertSigningKey(key: SigningKeyRecord): Promise<void>;
  /** Retires every key of a pool that is still active, apart from the named ones. */
  retireSigningKeys(poolId: string, exceptKids: readonly string[], nowMs: number): Promise<void>;

  /**
   * Counts a failure of a subject and tells how many there are now; undefined while the subject is locked, then nothing is counted.
   * Failures older than `forgetBeforeMs` do not count any more.
   */
  countFailure(poolId: string, subject: string, nowMs: number, forgetBeforeMs: number): Promise<number | undefined>;
  /** Locks a subject. Only after {@link countFailure} in the same write. */
  lockSubject(poolId: string, subject: string, lockedUntilMs: number): Promise<void>;
  /**
   * Takes one from a subject's bucket, which holds so many and gets one more each `everyMs`. False where it is empty, then nothing
   * changes. What {@link PoolReads.lockout} gives as `lockedUntilMs` of such a subject is when its bucket is full again.
   */
  takeFromBucket(poolId: string, subject: string, nowMs: number, bucket: BucketSize): Promise<boolean>;
  /** Forgets the failures of a subject. False while it is locked, then nothing changes. */
  clearFailures(poolId: string, subject: string, nowMs: number): Promise<boolean>;
  /** Forgets the failures of a subject and ends its lock. */
  unlockSubject(poolId: string, subject: string): Promise<void>;
}

/** Where the embedded pool keeps its records. Implementations pass the store contract tests. */
export interface PoolStore extends PoolReads {
  /**
   * Runs one atomic, durable write: all or nothing, and settled only after the commit.
   * `work` awaits nothing but the transaction that it is given, and may be run again: after a conflict of concurrent
   * writes, or where another write of the same commit failed.
   */
  write<Result>(work: (transaction: PoolTransaction) => Promise<Result>): Promise<Result>;
  /** Removes what has expired. Nothing depends on it: every read checks the time itself. */
  sweep(nowMs: number): Promise<void>;
}

/** A unique key was taken. `key` says which: the table's noun. */
export interface ConflictError extends Error {
  readonly name: 'ConflictError';
  readonly key: string;
}

/** A row was written for a pool, client, user or group that does not exist. */
export interface OrphanError extends Error {
  readonly name: 'StoreFault';
  readonly reason: 'foreign_key';
}
