import type { TestContext } from 'node:test';
import type { Environment } from '../../config/setting-sources.ts';
import type { Service, StartOptions } from '../../service/start.ts';
import { start } from '../../service/start.ts';

/** The clients compute in the service's own thread, which it cannot distinguish from its own work. */
const NEVER_OVERLOADED = { overloadMs: 0 } as const;
const IN_MEMORY = { ...NEVER_OVERLOADED, databaseUrl: 'sqlite::memory:', port: 0 } as const;

/** A service that uses its embedded pool instead of Amazon Cognito, until the test ends. */
export async function startPoolService(context: TestContext, options: StartOptions = {}): Promise<Service> {
  const service = await start({ ...IN_MEMORY, limitLoginSteps: 0, limitUserSteps: 0, limitReads: 0, ...options });
  context.after(() => service.close());
  return service;
}

/** The configuration of a service in front of it as an environment, with its admin key for signed calls. */
export function createFrontEnvironment({ url, userPoolId, clientId, adminKey }: Service): Environment {
  return {
    IDP_PROVIDER: 'cognito',
    IDP_USER_POOL_ID: userPoolId,
    IDP_CLIENT_ID: clientId,
    IDP_ENDPOINT: url,
    DATABASE_URL: 'sqlite::memory:',
    AWS_ACCESS_KEY_ID: adminKey?.id,
    AWS_SECRET_ACCESS_KEY: adminKey?.secret,
  };
}

/** A service in front of it, until the test ends. */
export async function startFrontService(
  context: TestContext,
  behind: Service,
  { environment, ...options }: StartOptions = {},
): Promise<Service> {
  const service = await start({
    port: 0,
    ...NEVER_OVERLOADED,
    ...options,
    environment: { ...createFrontEnvironment(behind), ...environment },
  });
  context.after(() => service.close());
  return service;
}

/** The response of a route. */
export interface RouteResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls a route. */
export async function requestRoute(
  { url }: Pick<Service, 'url'>,
  method: string,
  path: string,
  { body, bearer }: { readonly body?: unknown; readonly bearer?: unknown } = {},
): Promise<RouteResponse> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(typeof bearer === 'string' ? { authorization: `Bearer ${bearer}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as RouteResponse['body'] };
}
