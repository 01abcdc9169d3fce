import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import { resolveArnAccount } from '../settings/arns.ts';
import { isCustomDomain } from '../settings/pool-domains.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { AccountPort, DomainPort, SettingsCachePort } from '../settings/settings-ports.ts';
import type { DomainSettings } from '../store/pool-and-client-settings.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { DomainRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import type { OperationTable } from './operation-table.ts';

type DomainOperation =
  | 'createUserPoolDomain'
  | 'deleteUserPoolDomain'
  | 'describeUserPoolDomain'
  | 'updateUserPoolDomain';

/** Operations on the domains of pools. The caller was already authorized. */
export const domainOperations: OperationTable<DomainOperation> = {
  createUserPoolDomain,
  deleteUserPoolDomain,
  async describeUserPoolDomain(ports, { Domain }) {
    const domain = await ports.store.domains.byName(Domain);
    return { DomainDescription: domain === undefined ? {} : toDomainDescription(ports, domain) };
  },
  updateUserPoolDomain,
};

type DomainDescription = NonNullable<Output<'DescribeUserPoolDomain'>['DomainDescription']>;

/** The target of a domain's DNS alias. There is no distribution in front of it, so it is the service itself. */
function resolveAliasTarget({ aliasTarget }: DomainPort, name: string): string {
  return aliasTarget ?? name;
}

function toDomainDescription(
  ports: AccountPort & DomainPort,
  { name, poolId, settings, modifiedAtMs }: DomainRecord,
): DomainDescription {
  return {
    UserPoolId: poolId,
    AWSAccountId: resolveArnAccount(ports),
    Domain: name,
    CloudFrontDistribution: resolveAliasTarget(ports, name),
    Version: String(modifiedAtMs),
    Status: 'ACTIVE',
    ...settings,
    ManagedLoginVersion: readManagedLoginVersion(settings),
  };
}

/** Cognito's classic hosted pages are version 1. Here, both versions have the same pages. */
function readManagedLoginVersion({ ManagedLoginVersion = 1 }: DomainSettings): number {
  return ManagedLoginVersion;
}

function toDomainOutput(
  ports: DomainPort,
  { name, settings }: Pick<DomainRecord, 'name' | 'settings'>,
): Output<'CreateUserPoolDomain'> {
  return {
    ManagedLoginVersion: readManagedLoginVersion(settings),
    ...(settings.CustomDomainConfig !== undefined && { CloudFrontDomain: resolveAliasTarget(ports, name) }),
    ...(settings.Routing !== undefined && { Routing: settings.Routing }),
  };
}

const PREFIX = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const RESERVED = /aws|amazon|cognito/;

/** A name with dots is a custom domain, which needs a certificate (seen at AWS: terraform-aws-cognito-user-pool issue 69). */
function checkDomain(ports: DomainPort, name: string, settings: DomainSettings): void {
  if (settings.CustomDomainConfig !== undefined) {
    checkCustomDomain(ports, name);
    return;
  }
  if (!PREFIX.test(name)) {
    throw invalidParameterError(
      `The domain name contains an invalid character. Domain names can only contain lower-case letters, numbers, and hyphens. Please enter a different name that follows this format: ^[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?$`,
    );
  }
  const reserved = RESERVED.exec(name)?.[0];
  if (reserved !== undefined) throw invalidParameterError(`Domain cannot contain reserved word: ${reserved}`);
}

const HOST_NAME = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** A custom domain must not take a host that already leads elsewhere: the service, a pool's prefix below it, or a configured application. */
function checkCustomDomain({ aliasTarget, reservedHosts = [] }: DomainPort, name: string): void {
  if (!HOST_NAME.test(name)) throw invalidParameterError('Custom domain is not a valid subdomain.');
  const [, parent] = /^[^.]+\.(.+)$/.exec(name) ?? [];
  if (name !== aliasTarget && parent !== aliasTarget && !reservedHosts.includes(name)) return;
  throw invalidParameterError(`Custom domain ${name} is already used by this service.`);
}

function checkVersion(settings: DomainSettings): void {
  if ([1, 2].includes(readManagedLoginVersion(settings))) return;
  throw invalidParameterError('Managed login version must be 1 or 2.');
}

async function createUserPoolDomain(
  ports: DomainPort &
    EventPorts &
    SettingsCachePort &
    StoreReads<'pools'> &
    StoreWrites<'domains' | 'events' | 'locks'>,
  { UserPoolId, Domain: name, ...settings }: Input<'CreateUserPoolDomain'>,
): Promise<Output<'CreateUserPoolDomain'>> {
  checkVersion(settings);
  checkDomain(ports, name, settings);
  const pool = await requirePool(ports, UserPoolId);
  const nowMs = ports.clock.now();
  const domain: DomainRecord = { name, poolId: pool.id, settings, createdAtMs: nowMs, modifiedAtMs: nowMs };
  try {
    await ports.store.write(async (transaction) => {
      await lockSettings(transaction, nowMs);
      const others = await transaction.domains.listOf(pool.id);
      if (others.some((other) => isCustomDomain(other) === isCustomDomain(domain))) {
        throw invalidParameterError('User pool already has a domain configured.');
      }
      await transaction.domains.insert(domain);
      await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'domain_made' } });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw invalidParameterError('Domain already associated with another user pool.', cause);
  }
  forgetDomains(ports, pool.id, name);
  return toDomainOutput(ports, domain);
}

async function updateUserPoolDomain(
  ports: DomainPort & EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'domains' | 'events'>,
  { UserPoolId, Domain: name, ...members }: Input<'UpdateUserPoolDomain'>,
): Promise<Output<'UpdateUserPoolDomain'>> {
  const pool = await requirePool(ports, UserPoolId);
  const modifiedAtMs = ports.clock.now();
  const settings = await ports.store.write(async (transaction) => {
    const domain = await requireDomain(transaction, pool.id, name);
    const changed = { ...domain.settings, ...members };
    checkVersion(changed);
    // Names from before a rule was added stay.
    if (isCustomDomain({ settings: changed }) !== isCustomDomain(domain)) checkDomain(ports, name, changed);
    await transaction.domains.update(pool.id, name, { settings: changed, modifiedAtMs });
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'domain' } });
    return changed;
  });
  forgetDomains(ports, pool.id, name);
  return toDomainOutput(ports, { name, settings });
}

async function deleteUserPoolDomain(
  ports: EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'domains' | 'events'>,
  { UserPoolId, Domain: name }: Input<'DeleteUserPoolDomain'>,
): Promise<Output<'DeleteUserPoolDomain'>> {
  const pool = await requirePool(ports, UserPoolId);
  await ports.store.write(async (transaction) => {
    await requireDomain(transaction, pool.id, name);
    await transaction.domains.delete(pool.id, name);
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'domain_deleted' } });
  });
  forgetDomains(ports, pool.id, name);
  return {};
}

function forgetDomains({ settingsCache }: SettingsCachePort, poolId: string, name: string): void {
  settingsCache.domains.delete(poolId);
  settingsCache.domainPools.delete(name);
  // Links in its messages lead to the domain.
  settingsCache.pools.delete(poolId);
}

async function requireDomain(
  { domains }: Pick<PoolReads, 'domains'>,
  poolId: string,
  name: string,
): Promise<DomainRecord> {
  const domain = await domains.byName(name);
  if (domain?.poolId === poolId) return domain;
  throw invalidParameterError('No such domain or user pool exists.');
}

function invalidParameterError(message: string, cause?: unknown): ProviderError {
  return new ProviderError('InvalidParameterException', message, { cause });
}
