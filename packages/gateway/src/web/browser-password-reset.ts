import type { AnyRouteName } from '@poolgate/contract';
import { readRequestedUsername } from '../account/requested-username.ts';
import type { Browser } from './browser.ts';
import { toDigestHex } from './digest-hex.ts';

/** The names and the session in the body of a password reset request or response. */
interface ResetBody {
  readonly username?: string;
  readonly email?: string;
  readonly session?: string;
}

interface ResetInput {
  readonly body?: ResetBody;
}

/** Routes that accept the session of a reset code. */
const TAKES_RESET: ReadonlySet<AnyRouteName> = new Set(['passwordForgot', 'passwordReset']);

/**
 * Adds the session of this browser's reset code to a request that sets the password or asks for another code. Only for the name that
 * requested the code; for another name, the code works without a session.
 */
export function addResetSession<Input extends object>(
  name: AnyRouteName,
  browser: Browser | null,
  input: Input,
): Input {
  const { body }: ResetInput = input;
  const reset = browser?.preLogin?.reset;
  if (!TAKES_RESET.has(name) || reset === undefined || body === undefined || body.session !== undefined) return input;
  if (digestUsername(body) !== reset.nameDigestHex) return input;
  return { ...input, body: { ...body, session: reset.session } };
}

/** Stores the session of a reset code in the browser's cookie, so that it survives a reload. A successful reset removes it. */
export function rememberResetSession(
  name: AnyRouteName,
  browser: Browser | null,
  input: object,
  answer: unknown,
): void {
  if (name === 'passwordReset' && browser?.preLogin?.reset !== undefined) browser.rememberReset(undefined);
  if (name !== 'passwordForgot') return;
  const { session } = answer as ResetBody;
  const { body = {} }: ResetInput = input;
  if (session !== undefined) browser?.rememberReset({ nameDigestHex: digestUsername(body), session });
}

function digestUsername(body: ResetBody): string {
  return toDigestHex(readRequestedUsername(body).trim().toLowerCase());
}
