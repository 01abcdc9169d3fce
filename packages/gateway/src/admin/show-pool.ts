import type { CallContext, IdentityProvider } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { readPoolDomains } from './domain-handlers.ts';
import { explainPoolRefusals } from './pool-refusals.ts';

/** GET /admin/pool. */
export const showPool: Handler<'adminPoolGet'> = async ({ provider, userPoolId }, { call }) => {
  const pool = await explainPoolRefusals(readPool(provider, userPoolId, call), {});
  return { status: 200, body: { status: 'success', message: 'The user pool.', data: {}, pool } };
};

/** Settings that the fields of a pool already contain. */
const NAMED_MEMBERS = ['Id', 'Name', 'Domain', 'CustomDomain'];

/** A pool in routes and commands. */
export type PoolBody = Awaited<ReturnType<typeof readPool>>;

/** Reads the settings of a pool, and which of them have no effect. */
export async function readPool(provider: IdentityProvider, userPoolId: string, call: CallContext) {
  const { operations } = provider;
  const asked = { UserPoolId: userPoolId };
  const [facts, { UserPool = {} }, mfa, domains] = await Promise.all([
    provider.describe(userPoolId),
    operations.describeUserPool(asked, call),
    operations.getUserPoolMfaConfig(asked, call),
    readPoolDomains(provider, userPoolId, call),
  ]);
  if (facts === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
  const settings = Object.entries(UserPool).filter(([member]) => !NAMED_MEMBERS.includes(member));
  return {
    user_pool_id: userPoolId,
    name: UserPool.Name ?? '',
    region: facts.region,
    issuer: facts.issuer,
    domains: [...domains],
    settings: Object.fromEntries(settings),
    mfa_settings: { ...mfa },
    unsupported_settings: (facts.unsupportedSettings ?? []).map(({ setting, promisesSecurity }) => ({
      setting,
      promises_security: promisesSecurity,
    })),
  };
}
