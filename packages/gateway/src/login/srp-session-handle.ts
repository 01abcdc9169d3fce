import { COGNITO_GROUP, drawPrivateValue, hexFromInteger, parsePublicValue, toBase64 } from '@poolgate/srp';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { mapClientSrpErrors } from '../challenges/srp-fields.ts';
import { readVerifierChallenge } from '../challenges/start-at-provider.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { digestSession, type SrpStart, storePendingSrp, toPendingStart } from './pending-srp.ts';
import { createStatelessSession, isStatelessSession, isStatelessSrp } from './stateless-srp.ts';

const HANDLE_BYTES = 32;
const HANDLE = /^[A-Za-z0-9+/]{43}=$/;

/** Whether a session has the form of the gateway's own handles, with which PASSWORD_VERIFIER alone is pending. No provider's session is as short. */
export function isSrpSessionHandle(session: string): boolean {
  return HANDLE.test(session) || isStatelessSession(session);
}

/**
 * The client's `SRP_A` in its canonical form; where it sent none, the service makes the private value itself, for
 * clients that cannot.
 * @param field under which name the client sent it
 * @throws {GatewayError} validation_failed; feature_disabled where the service makes none
 */
export async function createSrpStart(
  runtime: GatewayRuntime,
  srpAHex: string | undefined,
  field: string,
): Promise<SrpStart> {
  if (srpAHex === undefined) {
    const { srp, random, settings } = runtime;
    if (!settings.srpAssisted) throw new GatewayError('feature_disabled', `Send ${field}: the service makes none.`);
    return srp.startClient({ aHex: drawPrivateValue(random) });
  }
  const value = mapClientSrpErrors(() => parsePublicValue(srpAHex, 'SRP_A', COGNITO_GROUP), { SRP_A: field });
  return { srpAHex: hexFromInteger(value) };
}

/** Who started, and how. */
interface SrpLoginStart {
  /** As it was typed. */
  readonly username: string;
  readonly start: SrpStart;
  /** The client's own token, where it gave one. */
  readonly sessionToken?: string | undefined;
}

/**
 * Where a step is PASSWORD_VERIFIER, puts the gateway's handle in place of the provider's session: Cognito gives none, and any SECRET_BLOCK
 * can be answered by whoever has it. To whom the secret block was given is stored, unless the block itself carries it.
 */
export async function issueSrpSessionHandle(
  runtime: GatewayRuntime,
  step: ProviderLoginStep,
  { username, start, sessionToken }: SrpLoginStart,
): Promise<ProviderLoginStep> {
  if (step.ChallengeName !== 'PASSWORD_VERIFIER') return step;
  const { secretBlockB64, userIdForSrp } = readVerifierChallenge(step);
  if (await isStatelessSrp(runtime, 'password', secretBlockB64))
    return { ...step, Session: createStatelessSession(runtime, secretBlockB64) };
  // Base64 of 32 bytes ends in "=", so a handle is never mistaken for a hexadecimal private value.
  const handle = toBase64(runtime.random(HANDLE_BYTES));
  await storePendingSrp(runtime, 'password', secretBlockB64, {
    username,
    userIdForSrp,
    ...toPendingStart(start),
    handle,
    ...(sessionToken === undefined ? {} : { sessionDigestHex: digestSession(runtime, sessionToken) }),
    ...(step.Session === undefined ? {} : { providerSession: step.Session }),
  });
  return { ...step, Session: handle };
}
