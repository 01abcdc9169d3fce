import type { PoolReads } from '@poolgate/pool/store';
import type { Executor } from '../statement.ts';
import { DatabaseAllowanceReads } from './allowances.ts';
import { DatabaseAuthenticatorReads } from './authenticators.ts';
import { DatabaseAuthorizationReads } from './authorizations.ts';
import { DatabaseClientReads } from './clients.ts';
import { DatabaseCodeReads } from './codes.ts';
import { DatabaseDeviceReads } from './devices.ts';
import { DatabaseDomainReads } from './domains.ts';
import { DatabaseGroupReads } from './groups.ts';
import { DatabaseLockoutReads } from './lockouts.ts';
import { DatabaseLoginReads } from './logins.ts';
import { DatabaseMessageReads } from './messages.ts';
import { DatabasePasskeyReads } from './passkeys.ts';
import { DatabasePoolRecordReads } from './pools.ts';
import { DatabaseRecoveryCodeReads } from './recovery-codes.ts';
import { DatabaseRegistrationReads } from './registrations.ts';
import { DatabaseResourceServerReads } from './resource-servers.ts';
import { DatabaseSigningKeyReads } from './signing-keys.ts';
import { DatabaseUserReads } from './user-reads.ts';

/** The reads of the pool's port on the database. */
export class DatabaseReads implements PoolReads {
  readonly allowances: DatabaseAllowanceReads;
  readonly authenticators: DatabaseAuthenticatorReads;
  readonly authorizations: DatabaseAuthorizationReads;
  readonly clients: DatabaseClientReads;
  readonly codes: DatabaseCodeReads;
  readonly devices: DatabaseDeviceReads;
  readonly domains: DatabaseDomainReads;
  readonly groups: DatabaseGroupReads;
  readonly lockouts: DatabaseLockoutReads;
  readonly logins: DatabaseLoginReads;
  readonly messages: DatabaseMessageReads;
  readonly passkeys: DatabasePasskeyReads;
  readonly pools: DatabasePoolRecordReads;
  readonly recoveryCodes: DatabaseRecoveryCodeReads;
  readonly registrations: DatabaseRegistrationReads;
  readonly resourceServers: DatabaseResourceServerReads;
  readonly signingKeys: DatabaseSigningKeyReads;
  readonly users: DatabaseUserReads;

  constructor(executor: Executor) {
    this.allowances = new DatabaseAllowanceReads(executor);
    this.authenticators = new DatabaseAuthenticatorReads(executor);
    this.authorizations = new DatabaseAuthorizationReads(executor);
    this.clients = new DatabaseClientReads(executor);
    this.codes = new DatabaseCodeReads(executor);
    this.devices = new DatabaseDeviceReads(executor);
    this.domains = new DatabaseDomainReads(executor);
    this.groups = new DatabaseGroupReads(executor);
    this.lockouts = new DatabaseLockoutReads(executor);
    this.logins = new DatabaseLoginReads(executor);
    this.messages = new DatabaseMessageReads(executor);
    this.passkeys = new DatabasePasskeyReads(executor);
    this.pools = new DatabasePoolRecordReads(executor);
    this.recoveryCodes = new DatabaseRecoveryCodeReads(executor);
    this.registrations = new DatabaseRegistrationReads(executor);
    this.resourceServers = new DatabaseResourceServerReads(executor);
    this.signingKeys = new DatabaseSigningKeyReads(executor);
    this.users = new DatabaseUserReads(executor);
  }
}
