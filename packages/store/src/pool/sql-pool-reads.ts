import type { PoolReads } from '@poolgate/pool/store';
import type { Executor } from '../sql/statement.ts';
import { SqlAccessTokenReads } from './sql-access-token-reads.ts';
import { SqlAllowanceReads } from './sql-allowance-repository.ts';
import { SqlAuthenticatorReads } from './sql-authenticator-repository.ts';
import { SqlAuthorizationReads } from './sql-authorization-code-repository.ts';
import { SqlBrandingReads } from './sql-branding-repository.ts';
import { SqlClientReads } from './sql-client-repository.ts';
import { SqlCodeReads } from './sql-code-repository.ts';
import { SqlDeviceReads } from './sql-device-repository.ts';
import { SqlDomainReads } from './sql-domain-repository.ts';
import { SqlFederatedIdentityReads } from './sql-federated-identity-repository.ts';
import { SqlGroupReads } from './sql-group-repository.ts';
import { SqlIdentityProviderReads } from './sql-identity-provider-repository.ts';
import { SqlLockoutReads } from './sql-lockout-repository.ts';
import { SqlLoginReads } from './sql-login-repository.ts';
import { SqlMessageReads } from './sql-message-repository.ts';
import { SqlPasskeyReads } from './sql-passkey-repository.ts';
import { SqlPoolRecordReads } from './sql-pool-repository.ts';
import { SqlRecoveryCodeReads } from './sql-recovery-code-repository.ts';
import { SqlRegistrationReads } from './sql-registration-repository.ts';
import { SqlResourceServerReads } from './sql-resource-server-repository.ts';
import { SqlSigningKeyReads } from './sql-signing-key-repository.ts';
import { SqlStackReads } from './sql-stack-repository.ts';
import { SqlUserReads } from './sql-user-reads.ts';

/** The reads of the pool's port. */
export class SqlPoolReads implements PoolReads {
  readonly accessTokens: SqlAccessTokenReads;
  readonly allowances: SqlAllowanceReads;
  readonly authenticators: SqlAuthenticatorReads;
  readonly authorizations: SqlAuthorizationReads;
  readonly brandings: SqlBrandingReads;
  readonly clients: SqlClientReads;
  readonly codes: SqlCodeReads;
  readonly devices: SqlDeviceReads;
  readonly domains: SqlDomainReads;
  readonly federatedIdentities: SqlFederatedIdentityReads;
  readonly groups: SqlGroupReads;
  readonly identityProviders: SqlIdentityProviderReads;
  readonly lockouts: SqlLockoutReads;
  readonly logins: SqlLoginReads;
  readonly messages: SqlMessageReads;
  readonly passkeys: SqlPasskeyReads;
  readonly pools: SqlPoolRecordReads;
  readonly recoveryCodes: SqlRecoveryCodeReads;
  readonly registrations: SqlRegistrationReads;
  readonly resourceServers: SqlResourceServerReads;
  readonly signingKeys: SqlSigningKeyReads;
  readonly stacks: SqlStackReads;
  readonly users: SqlUserReads;

  constructor(executor: Executor) {
    this.accessTokens = new SqlAccessTokenReads(executor);
    this.allowances = new SqlAllowanceReads(executor);
    this.authenticators = new SqlAuthenticatorReads(executor);
    this.authorizations = new SqlAuthorizationReads(executor);
    this.brandings = new SqlBrandingReads(executor);
    this.clients = new SqlClientReads(executor);
    this.codes = new SqlCodeReads(executor);
    this.devices = new SqlDeviceReads(executor);
    this.domains = new SqlDomainReads(executor);
    this.federatedIdentities = new SqlFederatedIdentityReads(executor);
    this.groups = new SqlGroupReads(executor);
    this.identityProviders = new SqlIdentityProviderReads(executor);
    this.lockouts = new SqlLockoutReads(executor);
    this.logins = new SqlLoginReads(executor);
    this.messages = new SqlMessageReads(executor);
    this.passkeys = new SqlPasskeyReads(executor);
    this.pools = new SqlPoolRecordReads(executor);
    this.recoveryCodes = new SqlRecoveryCodeReads(executor);
    this.registrations = new SqlRegistrationReads(executor);
    this.resourceServers = new SqlResourceServerReads(executor);
    this.signingKeys = new SqlSigningKeyReads(executor);
    this.stacks = new SqlStackReads(executor);
    this.users = new SqlUserReads(executor);
  }
}
