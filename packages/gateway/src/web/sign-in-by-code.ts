import type { AnyRouteName } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import { presentLoginStep } from '../challenges/present-login-step.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { CodeLogin } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { Browser } from './browser.ts';
import { createProofs, finishLoginStep } from './browser-login.ts';

interface CodeRoute {
  /** The session that this browser got when it requested the code, from the cookie that no script can read. */
  readonly findSession: (browser: Browser) => string | undefined;
  /** What the code proves, in the list of the session's proofs. */
  readonly proof: string;
}

const SIGN_UP: CodeRoute = { findSession: ({ preLogin }) => preLogin?.registration, proof: 'SIGN_UP' };

/** The routes whose code can sign a browser in. */
const CODE_ROUTES: { readonly [Name in AnyRouteName]?: CodeRoute } = {
  passwordReset: { findSession: ({ preLogin }) => preLogin?.reset?.session, proof: 'PASSWORD_RESET' },
  registerVerify: SIGN_UP,
  registerVerifyLink: SIGN_UP,
};

interface CodeBody {
  readonly session?: string;
  readonly sign_in?: boolean;
}

/**
 * Whether the code of a request may sign this browser in: the page asks for it, and the browser's own cookie has the session of the code. A
 * session in the body alone could come from another browser, whose user would then be signed in here.
 */
export function mayCodeSignIn(
  route: AnyRouteName,
  browser: Browser | null | undefined,
  { body }: { readonly body?: CodeBody },
): boolean {
  const own = browser ? CODE_ROUTES[route]?.findSession(browser) : undefined;
  return own !== undefined && body?.session === own && body.sign_in === true;
}

/**
 * Signs the browser in with the code that it has just entered, or returns the next challenge, such as a second factor. Undefined if the
 * service refuses: the code was accepted, and the user signs in as usual.
 */
export async function signInByCode(
  runtime: GatewayRuntime,
  route: AnyRouteName,
  browser: Browser,
  { username, session }: CodeLogin,
  call: CallContext,
) {
  const { clientId, provider } = runtime;
  try {
    const begun = await mapProviderErrors(
      provider.operations.initiateAuth(
        { AuthFlow: 'USER_AUTH', ClientId: clientId, Session: session, AuthParameters: { USERNAME: username } },
        call,
      ),
      {},
    );
    const proofs = createProofs(runtime, CODE_ROUTES[route]?.proof ?? '');
    const step = { outcome: presentLoginStep(begun, { username }), proofs, staysSignedIn: false };
    return await finishLoginStep(runtime, browser, step, call);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
