import type { CallContext, IdentityProvider, Input } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { explainPoolRefusals } from './pool-refusals.ts';

/** The embedded pool stores the name of a certificate but never reads one, because the proxy in front of it has the certificate. */
const NO_CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/none';

/** GET /admin/domains. */
export const listDomains: Handler<'adminDomainList'> = async (deps, { call }) => {
  const domains = await explainPoolRefusals(readPoolDomains(deps.provider, deps.userPoolId, call), {});
  return { status: 200, body: { status: 'success', message: 'The domains.', data: {}, domains } };
};

/** The requested domain. A name with a dot is a whole host name. */
interface WantedDomain {
  readonly domain: string;
  readonly certificate_arn?: string;
}

/** Creates the request that gives a pool a domain. */
export function createDomainInput(
  { extensions }: Pick<IdentityProvider, 'extensions'>,
  userPoolId: string,
  { domain, certificate_arn }: WantedDomain,
): Input<'CreateUserPoolDomain'> {
  const needsNone = domain.includes('.') && extensions.oauth !== undefined;
  const CertificateArn = certificate_arn ?? (needsNone ? NO_CERTIFICATE : undefined);
  return {
    UserPoolId: userPoolId,
    Domain: domain,
    ...(CertificateArn === undefined ? {} : { CustomDomainConfig: { CertificateArn } }),
  };
}

/** POST /admin/domains. */
export const createDomain: Handler<'adminDomainCreate'> = async ({ provider, userPoolId }, { body, call }) => {
  const input = createDomainInput(provider, userPoolId, body);
  await explainPoolRefusals(provider.operations.createUserPoolDomain(input, call), {});
  const domain = { domain: body.domain, custom: input.CustomDomainConfig !== undefined };
  return { status: 201, body: { status: 'success', message: 'The domain was created.', data: {}, domain } };
};

/** DELETE /admin/domains/{domain}. */
export const deleteDomain: Handler<'adminDomainDelete'> = async (deps, { params, call }) => {
  const known = await explainPoolRefusals(readPoolDomains(deps.provider, deps.userPoolId, call), {});
  if (!known.some(({ domain }) => domain === params.domain)) throw new GatewayError('domain_not_found');
  const input = { UserPoolId: deps.userPoolId, Domain: params.domain };
  await explainPoolRefusals(deps.provider.operations.deleteUserPoolDomain(input, call), { other: 'domain_not_found' });
  return { status: 200, body: { status: 'success', message: 'The domain was deleted.', data: {} } };
};

/** The domains of a pool, which only its description contains. */
export async function readPoolDomains(
  { operations }: Pick<IdentityProvider, 'operations'>,
  userPoolId: string,
  call: CallContext,
): Promise<readonly { readonly domain: string; readonly custom: boolean }[]> {
  const { UserPool } = await operations.describeUserPool({ UserPoolId: userPoolId }, call);
  return [
    ...(UserPool?.Domain === undefined ? [] : [{ domain: UserPool.Domain, custom: false }]),
    ...(UserPool?.CustomDomain === undefined ? [] : [{ domain: UserPool.CustomDomain, custom: true }]),
  ];
}
