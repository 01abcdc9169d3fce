import type {
  BucketSize,
  ClientRecord,
  CodePurpose,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  EventRecord,
  GroupRecord,
  LoginRecord,
  MessageRecord,
  NotMeLinkRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  PoolTransaction,
  RegistrationRecord,
  SigningKeyRecord,
  TotpRecord,
  UserRecord,
} from '@poolgate/pool/store';
import { appendEventTo } from '../events/append.ts';
import { localUsers } from '../gateway/local-users.ts';
import type { Writer } from '../statement.ts';
import { type ClientChange, clients } from './clients.ts';
import { codes } from './codes.ts';
import { credentials } from './credentials.ts';
import { type DeviceChange, devices } from './devices.ts';
import { type GroupChange, groups } from './groups.ts';
import { lockouts } from './lockouts.ts';
import { logins } from './logins.ts';
import { messages } from './messages.ts';
import { notMeLinks } from './not-me-links.ts';
import { passkeyCeremonies } from './passkey-ceremonies.ts';
import { type PasskeyUse, passkeys } from './passkeys.ts';
import { type PoolChange, pools } from './pools.ts';
import { proofs } from './proofs.ts';
import { DatabaseReads } from './reads.ts';
import { recoveryCodes } from './recovery-codes.ts';
import { registrations } from './registrations.ts';
import { DatabaseRevocations } from './revocations.ts';
import { sessions } from './sessions.ts';
import { signingKeys } from './signing-keys.ts';
import { totpFactors } from './totp-factors.ts';
import { type UserChange, users } from './users.ts';

/** The pool's port inside one atomic write. */
export class DatabaseTransaction extends DatabaseReads implements PoolTransaction {
  readonly #writer: Writer;
  readonly revocations: DatabaseRevocations;
  /** The events that are to be written once this write is committed. */
  readonly deferredEvents: EventRecord[] = [];

  constructor(writer: Writer) {
    super(writer);
    this.#writer = writer;
    this.revocations = new DatabaseRevocations(writer);
  }

  override userByName(poolId: string, name: string) {
    return credentials.lockByName(this.executor, poolId, name);
  }

  override passkeys(poolId: string, username: string) {
    return passkeys.lockList(this.executor, poolId, username);
  }

  insertPool(pool: PoolRecord) {
    return pools.insert(this.executor, pool);
  }

  insertClient(client: ClientRecord) {
    return clients.insert(this.executor, client);
  }

  updatePool(id: string, change: PoolChange) {
    return pools.update(this.executor, id, change);
  }

  deletePool(id: string) {
    return pools.delete(this.executor, id);
  }

  countPools() {
    return pools.count(this.executor);
  }

  updateClient(id: string, change: ClientChange) {
    return clients.update(this.executor, id, change);
  }

  deleteClient(poolId: string, id: string) {
    return clients.delete(this.executor, poolId, id);
  }

  insertUser(user: UserRecord, names: readonly string[]) {
    return users.insert(this.executor, user, names);
  }

  updateUser(poolId: string, username: string, change: UserChange) {
    return users.update(this.executor, poolId, username, change);
  }

  deleteUser(poolId: string, username: string) {
    return users.delete(this.executor, poolId, username);
  }

  putRegistration(registration: RegistrationRecord) {
    return registrations.put(this.executor, registration);
  }

  contestRegistrations(poolId: string, name: string) {
    return registrations.contest(this.executor, poolId, name);
  }

  deleteRegistrations(poolId: string, name: string, exceptUsername: string) {
    return registrations.deleteUsers(this.executor, poolId, name, exceptUsername);
  }

  deleteProofs(poolId: string, username: string) {
    return proofs.deleteAll(this.executor, poolId, username);
  }

  clearLocalUser(poolId: string, sub: string, nowMs: number) {
    return localUsers.forgetFactors(this.executor, poolId, sub, nowMs);
  }

  deleteLocalUser(poolId: string, sub: string) {
    return localUsers.delete(this.executor, poolId, sub);
  }

  insertGroup(group: GroupRecord) {
    return groups.insert(this.executor, group);
  }

  updateGroup(poolId: string, name: string, change: GroupChange) {
    return groups.update(this.executor, poolId, name, change);
  }

  deleteGroup(poolId: string, name: string) {
    return groups.delete(this.executor, poolId, name);
  }

  countGroups(poolId: string) {
    return groups.count(this.executor, poolId);
  }

  addGroupMember(poolId: string, groupName: string, username: string, nowMs: number) {
    return groups.add(this.executor, poolId, groupName, username, nowMs);
  }

  removeGroupMember(poolId: string, groupName: string, username: string) {
    return groups.remove(this.executor, poolId, groupName, username);
  }

  replaceUserNames(poolId: string, username: string, names: readonly string[]) {
    return users.replaceNames(this.executor, poolId, username, names);
  }

  putCredential(credential: CredentialRecord) {
    return credentials.put(this.executor, credential);
  }

  reserveSession(id: string, expiresAtMs: number) {
    return sessions.reserve(this.executor, id, expiresAtMs);
  }

  spendSession(id: string) {
    return sessions.spend(this.executor, id);
  }

  reserveAndSpendSession(id: string, expiresAtMs: number) {
    return sessions.reserveAndSpend(this.executor, id, expiresAtMs);
  }

  unspendSession(id: string) {
    return sessions.unspend(this.executor, id);
  }

  putCode(code: CodeRecord) {
    return codes.put(this.executor, code);
  }

  consumeCode(poolId: string, username: string, purpose: CodePurpose, digestHex: string) {
    return codes.consume(this.executor, poolId, username, purpose, digestHex);
  }

  deleteCode(poolId: string, username: string, purpose: CodePurpose) {
    return codes.delete(this.executor, poolId, username, purpose);
  }

  insertNotMeLink(link: NotMeLinkRecord) {
    return notMeLinks.insert(this.executor, link);
  }

  takeNotMeLink(digestHex: string, nowMs: number) {
    return notMeLinks.take(this.executor, digestHex, nowMs);
  }

  deleteLaterNotMeLinks(poolId: string, username: string, expiresAtMs: number) {
    return notMeLinks.deleteAfter(this.executor, { poolId, username, expiresAtMs });
  }

  appendEvent(event: EventRecord) {
    return appendEventTo(this.#writer, event);
  }

  appendEventAfterCommit(event: EventRecord) {
    this.deferredEvents.push(event);
    return Promise.resolve();
  }

  insertLogin(login: LoginRecord) {
    return logins.insert(this.executor, login);
  }

  rotateLogin(id: string, fromGeneration: number, nowMs: number) {
    return logins.rotate(this.executor, id, fromGeneration, nowMs);
  }

  revokeLogin(id: string, nowMs: number) {
    return logins.revoke(this.executor, id, nowMs);
  }

  revokeLoginsBeyond(poolId: string, username: string, most: number, nowMs: number) {
    return logins.revokeBeyond(this.executor, poolId, username, most, nowMs);
  }

  revokeLoginsOfUser(poolId: string, username: string, nowMs: number) {
    return logins.revokeAll(this.executor, poolId, username, nowMs);
  }

  detachDevice(id: string, nowMs: number) {
    return logins.detachDevice(this.executor, id, nowMs);
  }

  revokeLoginsOfDevice(poolId: string, username: string, deviceKey: string, nowMs: number) {
    return logins.revokeOfDevice(this.executor, poolId, username, deviceKey, nowMs);
  }

  insertDevice(device: DeviceRecord) {
    return devices.insert(this.executor, device);
  }

  updateDevice(poolId: string, username: string, key: string, change: DeviceChange) {
    return devices.update(this.executor, poolId, username, key, change);
  }

  deleteDevice(poolId: string, username: string, key: string) {
    return devices.delete(this.executor, poolId, username, key);
  }

  countDevices(poolId: string, username: string) {
    return devices.count(this.executor, poolId, username);
  }

  forgetTrustInDevices(poolId: string, username: string, nowMs: number) {
    return devices.forgetTrust(this.executor, poolId, username, nowMs);
  }

  putTotp(totp: TotpRecord) {
    return totpFactors.put(this.executor, totp);
  }

  takeTotp(poolId: string, username: string, state: TotpRecord['state']) {
    return totpFactors.take(this.executor, poolId, username, state);
  }

  useTotpStep(poolId: string, username: string, step: number) {
    return totpFactors.useStep(this.executor, poolId, username, step);
  }

  insertPasskey(passkey: PasskeyRecord) {
    return passkeys.insert(this.executor, passkey);
  }

  usePasskey(poolId: string, credentialId: string, use: PasskeyUse) {
    return passkeys.use(this.executor, poolId, credentialId, use);
  }

  deletePasskey(poolId: string, username: string, credentialId: string) {
    return passkeys.delete(this.executor, poolId, username, credentialId);
  }

  putPasskeyCeremony(ceremony: PasskeyCeremonyRecord) {
    return passkeyCeremonies.put(this.executor, ceremony);
  }

  takePasskeyCeremony(poolId: string, username: string, challengeDigestHex: string, nowMs: number) {
    return passkeyCeremonies.take(this.executor, poolId, username, challengeDigestHex, nowMs);
  }

  putRecoveryCodes(poolId: string, username: string, digestsHex: readonly string[], nowMs: number) {
    return recoveryCodes.replace(this.executor, poolId, username, digestsHex, nowMs);
  }

  useRecoveryCode(poolId: string, username: string, digestHex: string) {
    return recoveryCodes.use(this.executor, poolId, username, digestHex);
  }

  enqueueMessage(message: MessageRecord) {
    return messages.enqueue(this.executor, message);
  }

  leaseMessages(nowMs: number, leasedUntilMs: number, limit: number) {
    return messages.lease(this.executor, nowMs, leasedUntilMs, limit);
  }

  handOverMessage(id: string, leasedUntilMs: number) {
    return messages.handOver(this.executor, id, leasedUntilMs);
  }

  deleteMessage(id: string) {
    return messages.delete(this.executor, id);
  }

  postponeMessage(id: string, nextTryAtMs: number, failure: string) {
    return messages.postpone(this.executor, id, nextTryAtMs, failure);
  }

  deadLetterMessage(id: string, nowMs: number, failure: string) {
    return messages.deadLetter(this.executor, id, nowMs, failure);
  }

  insertSigningKey(key: SigningKeyRecord) {
    return signingKeys.insert(this.executor, key);
  }

  retireSigningKeys(poolId: string, exceptKids: readonly string[], nowMs: number) {
    return signingKeys.retireExcept(this.executor, poolId, exceptKids, nowMs);
  }

  countFailure(poolId: string, subject: string, nowMs: number, forgetBeforeMs: number) {
    return lockouts.countFailure(this.executor, poolId, subject, nowMs, forgetBeforeMs);
  }

  takeFromBucket(poolId: string, subject: string, nowMs: number, bucket: BucketSize) {
    return lockouts.takeFromBucket(this.executor, poolId, subject, nowMs, bucket);
  }

  lockSubject(poolId: string, subject: string, lockedUntilMs: number) {
    return lockouts.lock(this.executor, poolId, subject, lockedUntilMs);
  }

  clearFailures(poolId: string, subject: string, nowMs: number) {
    return lockouts.clear(this.executor, poolId, subject, nowMs);
  }

  unlockSubject(poolId: string, subject: string) {
    return lockouts.unlock(this.executor, poolId, subject);
  }
}
