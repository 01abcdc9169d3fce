import {
  type ClientStart,
  claimMessage,
  constantTimeEqual,
  formatTimestamp,
  fromBase64,
  SrpError,
  type SrpIdentity,
} from '@poolgate/srp';
import { mapClientSrpErrors, mapClientSrpRejections } from '../challenges/srp-fields.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { PendingSrp } from '../runtime/pending-srp-cache.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import {
  CLAIM_FIELD,
  missingPrivateKeyError,
  type SignedClaim,
  type UnsignedClaim,
  wrongMessageError,
  wrongPrivateKeyError,
} from './claim-fields.ts';
import { consumePendingSrp, isPendingStart, type SrpProofKind } from './pending-srp.ts';

/** What is signed in a client's place. */
export interface SigningRequest {
  readonly identity: SrpIdentity;
  readonly secretBlockB64: string;
  readonly claim: UnsignedClaim;
  /** Asked for last, because it may be good for one answer only. */
  readonly privateStart: () => Promise<ClientStart>;
}

/** @throws {GatewayError} feature_disabled where the service signs nothing */
export function requireAssistedSigning({ settings }: Pick<GatewayRuntime, 'settings'>): void {
  if (!settings.srpAssisted) {
    throw new GatewayError('feature_disabled', 'Send a finished PASSWORD_CLAIM_SIGNATURE: the service signs none.');
  }
}

/**
 * Signs a claim as the client would, with the time that it named. Its message is compared, never taken for the parts.
 * @throws {GatewayError} validation_failed
 */
export async function signForClient(
  runtime: GatewayRuntime,
  signing: SigningRequest,
): Promise<Omit<SignedClaim, 'kind'>> {
  const { identity, secretBlockB64, claim, privateStart } = signing;
  const parts = { identity, secretBlockB64 };
  if (claim.messageB64 !== undefined) {
    requireMatchingMessage(claim.messageB64, claimMessage({ ...parts, timestamp: claim.time?.text ?? '' }));
  }
  const timestamp = formatTimestamp(claim.time?.ms ?? runtime.clock.now());
  const start = await privateStart();
  const { srpBHex, saltHex, passwordHash } = claim;
  const signatureB64 = await mapClientSrpRejections(() =>
    runtime.srp.passwordClaim({ ...parts, ...start, srpBHex, saltHex, passwordHash, timestamp }),
  );
  return { timestamp, signatureB64 };
}

function requireMatchingMessage(messageB64: string, expected: Uint8Array): void {
  const sent = mapClientSrpErrors(() => fromBase64(messageB64, `${CLAIM_FIELD}.MESSAGE_BASE64`));
  if (!constantTimeEqual(sent, expected)) throw wrongMessageError();
}

/**
 * The start whose private value the client sent as `PRIVATE_KEY`, or the one that the service made, which this spends.
 * @throws {GatewayError} validation_failed, or invalid_session where it was spent before
 */
export async function requirePrivateStart(
  runtime: GatewayRuntime,
  {
    pending,
    secretBlockB64,
    claim,
  }: Pick<SigningRequest, 'secretBlockB64' | 'claim'> & { readonly pending: PendingSrp },
  prover: SrpProofKind,
): Promise<ClientStart> {
  if (claim.privateKeyHex !== undefined)
    return requireMatchingStart(runtime, pending, claim.privateKeyHex, wrongPrivateKeyError);
  if (pending.aHex === undefined) throw missingPrivateKeyError();
  const taken = await consumePendingSrp(runtime, prover, secretBlockB64);
  if (taken?.aHex === undefined) throw new GatewayError('invalid_session');
  return runtime.srp.startClient({ aHex: taken.aHex });
}

/** The start of a private value that gives the `SRP_A` which was sent before. */
export async function requireMatchingStart(
  runtime: Pick<GatewayRuntime, 'srp'>,
  pending: PendingSrp,
  aHex: string,
  refusal: (cause?: unknown) => Error,
): Promise<ClientStart> {
  try {
    const start = await runtime.srp.startClient({ aHex });
    if (isPendingStart(pending, start)) return start;
  } catch (error) {
    if (error instanceof SrpError) throw refusal(error);
    throw error;
  }
  throw refusal();
}
