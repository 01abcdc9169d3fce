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

/**
 * Whether a session has the format of the gateway's own handles, for which only PASSWORD_VERIFIER can be pending. Providers' sessions are
 * longer.
 */
export function isSrpSessionHandle(session: string): boolean {
  return HANDLE.test(session) || isStatelessSession(session);
}

/**
 * Returns the client's `SRP_A` in its canonical form. Without one, the service generates the private value, for clients that cannot.
 * @param field the client's name of the field
 * @throws {GatewayError} validation_failed; feature_disabled if the service generates none
 */
export async function createSrpStart(
  runtime: GatewayRuntime,
  srpAHex: string | undefined,
  field: string,
): Promise<SrpStart> {
  if (srpAHex === undefined) {
    const { srp, random, settings } = runtime;
    if (!settings.srpAssisted)
      throw new GatewayError('feature_disabled', `Send ${field}. This service does not generate it.`);
    return srp.startClient({ aHex: drawPrivateValue(random) });
  }
  const value = mapClientSrpErrors(() => parsePublicValue(srpAHex, 'SRP_A', COGNITO_GROUP), { SRP_A: field });
  return { srpAHex: hexFromInteger(value) };
}

/** The user of a started login, and how it started. */
interface SrpLoginStart {
  /** As typed. */
  readonly username: string;
  readonly start: SrpStart;
  /** The client's own token, if it sent one. */
  readonly sessionToken?: string | undefined;
}

/**
 * For PASSWORD_VERIFIER, replaces the provider's session with the gateway's handle. Cognito returns none, so anyone with a SECRET_BLOCK
 * could answer it. The recipient of the secret block is stored, unless the block contains it.
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
  // Base64 of 32 bytes ends in "=", so a handle cannot be mistaken for a hexadecimal private value.
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
