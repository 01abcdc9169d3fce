import { PASSWORD, type TestService } from '../services/test-service.ts';
import { callAsAdmin } from './oauth-client.ts';

/** How browsers and applications reach a pool. */
export type PoolPlace = 'path' | 'host';

/** Another pool of a service with a domain. Tests use it like the service: every request goes to that pool. */
export interface PoolService extends TestService {
  readonly domain: string;
}

/** Creates a pool with a domain, in which users sign in by email. */
export async function createPoolWithDomain(
  service: TestService,
  domain: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { UserPool } = await callAsAdmin(service, 'CreateUserPool', {
    PoolName: domain,
    UsernameAttributes: ['email'],
    AutoVerifiedAttributes: ['email'],
    ...members,
  });
  const { Id } = UserPool as { readonly Id: string };
  await callAsAdmin(service, 'CreateUserPoolDomain', { UserPoolId: Id, Domain: domain });
  return Id;
}

/** Returns the service for that pool: below its id on the host of BASE_URL, or at the host of its domain. */
export function atPool(service: TestService, userPoolId: string, domain: string, place: PoolPlace): PoolService {
  const url = new URL(service.baseUrl);
  url.hostname = `${domain}.${url.hostname}`;
  const ask: TestService['ask'] = (method, path, sent = {}) =>
    place === 'path'
      ? service.ask(method, path.startsWith(`/${userPoolId}/`) ? path : `/${userPoolId}${path}`, sent)
      : service.ask(method, path, { ...sent, headers: { host: url.host, ...sent.headers } });
  return {
    ...service,
    userPoolId,
    domain,
    poolName: userPoolId.split('_')[1] ?? '',
    baseUrl: place === 'path' ? service.baseUrl : url.origin,
    ask,
    post: (path, body, headers = {}) => ask('POST', path, { body, headers }),
    get: (path, headers = {}) => ask('GET', path, { headers }),
  };
}

/** Creates a user of a pool with a verified email and a permanent password. */
export async function addPoolUser(service: TestService, email: string, password = PASSWORD): Promise<string> {
  const { userPoolId: UserPoolId } = service;
  const attributes = { email, email_verified: 'true' };
  const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  const asked = { UserPoolId, Username: email, UserAttributes, MessageAction: 'SUPPRESS' };
  const { User } = await callAsAdmin(service, 'AdminCreateUser', asked);
  await callAsAdmin(service, 'AdminSetUserPassword', {
    UserPoolId,
    Username: email,
    Password: password,
    Permanent: true,
  });
  return (User as { readonly Username: string }).Username;
}
