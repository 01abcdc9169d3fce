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

/** What the service signs for a client. */
export interface SigningRequest {
  readonly identity: SrpIdentity;
  readonly secretBlockB64: string;
  readonly claim: UnsignedClaim;
  /** Requested last, because it may be single-use. */
  readonly privateStart: () => Promise<ClientStart>;
}

/** @throws {GatewayError} feature_disabled if the service signs nothing */
export function requireAssistedSigning({ settings }: Pick<GatewayRuntime, 'settings'>): void {
  if (!settings.srpAssisted) {
    throw new GatewayError(
      'feature_disabled',
      'Send PASSWORD_CLAIM_SIGNATURE. This service does not sign on behalf of clients.',
    );
  }
}

/**
 * Signs a claim like the client would, with the client's time. Its message is only compared, never used instead of the parts.
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
 * Returns the start of the client's `PRIVATE_KEY`, or of the service's own private value, which this consumes.
 * @throws {GatewayError} validation_failed, or invalid_session if it was already consumed
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

/** Returns the start of a private value that matches the `SRP_A` sent before. */
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
