import type { AnyRouteName } from '@poolgate/contract';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { isRegistrationSessionFor } from '../users/registration-session.ts';
import type { Browser } from './browser.ts';

/** Routes that accept the session of a registration. */
const TAKES_REGISTRATION: ReadonlySet<AnyRouteName> = new Set([
  'loginSrp',
  'registerResend',
  'registerVerify',
  'registerVerifyLink',
  'webLogin',
]);

interface RegistrationBody {
  readonly username?: string;
  readonly email?: string;
  readonly session?: string;
  readonly with_registration?: boolean;
}

/**
 * Adds the session of this browser's registration to a request, if the route accepts one and the request has none. The registration must
 * have the name in the request. A link contains no name, and the provider knows its recipient.
 */
export function addRegistrationSession<Request extends { readonly body?: unknown }>(
  runtime: GatewayRuntime,
  route: AnyRouteName,
  browser: Browser | null | undefined,
  request: Request,
): Request {
  const session = browser?.preLogin?.registration;
  if (session === undefined || !TAKES_REGISTRATION.has(route)) return request;
  const body = request.body as RegistrationBody;
  if (body.session !== undefined || body.with_registration === false) return request;
  const name = body.username ?? body.email;
  if (name !== undefined && !isRegistrationSessionFor(runtime, name, session)) return request;
  return { ...request, body: { ...body, session } };
}

/** Remembers this browser's registration from a response until it is confirmed. */
export function rememberRegistrationSession(
  route: AnyRouteName,
  browser: Browser | null | undefined,
  body: unknown,
): void {
  if (route === 'registerVerify' || route === 'registerVerifyLink') browser?.forgetRegistration();
  if (route !== 'register') return;
  const { session } = body as { readonly session?: unknown };
  if (typeof session === 'string') browser?.rememberRegistration(session);
}
