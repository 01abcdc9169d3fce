import type { PoolTransaction } from '@poolgate/pool/store';
import type { Writer } from '../statement.ts';
import { DatabaseAllowances } from './allowances.ts';
import { DatabaseAuthenticators } from './authenticators.ts';
import { DatabaseChallengeSessions } from './challenge-sessions.ts';
import { DatabaseClients } from './clients.ts';
import { DatabaseCodes } from './codes.ts';
import { DatabaseCredentials } from './credentials.ts';
import { DatabaseDevices } from './devices.ts';
import { DatabaseEvents } from './events.ts';
import { DatabaseGroups } from './groups.ts';
import { DatabaseLocalUsers } from './local-users.ts';
import { DatabaseLockouts } from './lockouts.ts';
import { DatabaseLocks } from './locks.ts';
import { DatabaseLogins } from './logins.ts';
import { DatabaseMessages } from './messages.ts';
import { DatabaseNotMeLinks } from './not-me-links.ts';
import { DatabasePasskeyCeremonies } from './passkey-ceremonies.ts';
import { DatabasePasskeys } from './passkeys.ts';
import { DatabasePools } from './pools.ts';
import { DatabaseRecoveryCodes } from './recovery-codes.ts';
import { DatabaseRegistrations } from './registrations.ts';
import { DatabaseRevocations } from './revocations.ts';
import { DatabaseSigningKeys } from './signing-keys.ts';
import { DatabaseUsers } from './users.ts';

/** The pool's port inside one atomic write: the repositories of the aggregates, all on its connection. */
export class DatabaseTransaction implements PoolTransaction {
  readonly allowances: DatabaseAllowances;
  readonly authenticators: DatabaseAuthenticators;
  readonly challengeSessions: DatabaseChallengeSessions;
  readonly clients: DatabaseClients;
  readonly codes: DatabaseCodes;
  readonly credentials: DatabaseCredentials;
  readonly devices: DatabaseDevices;
  readonly events: DatabaseEvents;
  readonly groups: DatabaseGroups;
  readonly localUsers: DatabaseLocalUsers;
  readonly lockouts: DatabaseLockouts;
  readonly locks: DatabaseLocks;
  readonly logins: DatabaseLogins;
  readonly messages: DatabaseMessages;
  readonly notMeLinks: DatabaseNotMeLinks;
  readonly passkeyCeremonies: DatabasePasskeyCeremonies;
  readonly passkeys: DatabasePasskeys;
  readonly pools: DatabasePools;
  readonly recoveryCodes: DatabaseRecoveryCodes;
  readonly registrations: DatabaseRegistrations;
  readonly revocations: DatabaseRevocations;
  readonly signingKeys: DatabaseSigningKeys;
  readonly users: DatabaseUsers;

  constructor(writer: Writer) {
    this.allowances = new DatabaseAllowances(writer);
    this.authenticators = new DatabaseAuthenticators(writer);
    this.challengeSessions = new DatabaseChallengeSessions(writer);
    this.clients = new DatabaseClients(writer);
    this.codes = new DatabaseCodes(writer);
    this.credentials = new DatabaseCredentials(writer);
    this.devices = new DatabaseDevices(writer);
    this.events = new DatabaseEvents(writer);
    this.groups = new DatabaseGroups(writer);
    this.localUsers = new DatabaseLocalUsers(writer);
    this.lockouts = new DatabaseLockouts(writer);
    this.locks = new DatabaseLocks(writer);
    this.logins = new DatabaseLogins(writer);
    this.messages = new DatabaseMessages(writer);
    this.notMeLinks = new DatabaseNotMeLinks(writer);
    this.passkeyCeremonies = new DatabasePasskeyCeremonies(writer);
    this.passkeys = new DatabasePasskeys(writer);
    this.pools = new DatabasePools(writer);
    this.recoveryCodes = new DatabaseRecoveryCodes(writer);
    this.registrations = new DatabaseRegistrations(writer);
    this.revocations = new DatabaseRevocations(writer);
    this.signingKeys = new DatabaseSigningKeys(writer);
    this.users = new DatabaseUsers(writer);
  }
}
