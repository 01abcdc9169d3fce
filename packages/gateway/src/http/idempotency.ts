import { createHash, timingSafeEqual } from 'node:crypto';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { IdempotencyRecord } from '../records/index.ts';
import type { CodeLogin } from '../runtime/handler.ts';

/** A handler's response. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** See `HandlerResponse`. */
  readonly codeLogin?: CodeLogin | undefined;
}

/** A request that may be repeated. */
export interface IdempotentRequest {
  /** The `Idempotency-Key` header. */
  readonly key: string;
  /** The route's name, its path parameters and the pool if the request names one. */
  readonly route: string;
  /** The caller of the key, because two callers may choose the same one. */
  readonly callerId: string;
  /** Every byte of the body. */
  readonly body: Uint8Array;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Longer than any request takes. A process that crashed holds the key no longer than this. */
const CLAIM_LIFETIME_MS = 120_000;
const RESPONSE_LIFETIME_MS = 24 * 3_600_000;
const RETRY_AFTER_SECONDS = 1;
const REQUEST_PURPOSE = 'idempotency-request';
const RESPONSE_PURPOSE = 'idempotency-answer';

/**
 * Handles a request, or repeats the response of the first request with this key. Only successes are stored, so a failed request may be
 * repeated with the same key.
 * @throws {GatewayError} malformed_request; idempotency_conflict: the key belongs to another request; idempotency_in_progress: the first
 *   request is still running
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export async function respondOnce(
  deps: GatewayDeps,
  request: IdempotentRequest,
  answer: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const { records, keyRing, clock } = deps;
  if (!KEY.test(request.key)) {
    throw new GatewayError('malformed_request', 'The Idempotency-Key must have 1 to 255 visible ASCII characters.');
  }
  const digestHex = digestSha256(JSON.stringify([request.callerId, request.route, request.key])).toString('hex');
  const requestDigest = digestSha256(request.body);
  const first = await claimRequest(deps, digestHex, requestDigest);
  if (first !== undefined) return replayResponse(deps, first, requestDigest);
  try {
    const answered = await answer();
    const text = JSON.stringify({ status: answered.status, body: answered.body });
    const answerEncrypted = keyRing.encrypt(RESPONSE_PURPOSE, Buffer.from(text, 'utf8'), digestHex);
    await records.idempotencyKeys.storeAnswer(digestHex, answerEncrypted, clock.now() + RESPONSE_LIFETIME_MS);
    return answered;
  } catch (error) {
    await records.idempotencyKeys.release(digestHex);
    throw error;
  }
}

/**
 * Claims what `digestHex` names, so that only one request does it at a time. The claim ends when it is released, or after two minutes.
 * @returns the record of an earlier request that has it; undefined if it is claimed now
 */
export function claimRequest(
  { records, keyRing, clock }: Pick<GatewayDeps, 'records' | 'keyRing' | 'clock'>,
  digestHex: string,
  requestDigest: Uint8Array,
): Promise<IdempotencyRecord | undefined> {
  // A body can contain a temporary password, which could be guessed from a plain digest.
  const encrypted = keyRing.encrypt(REQUEST_PURPOSE, requestDigest, digestHex);
  const requestDigestHex = Buffer.from(encrypted, 'utf8').toString('hex');
  const nowMs = clock.now();
  const claim = { digestHex, requestDigestHex, answerEncrypted: null, expiresAtMs: nowMs + CLAIM_LIFETIME_MS };
  return records.idempotencyKeys.claim(claim, nowMs);
}

function replayResponse(
  { keyRing }: GatewayDeps,
  { digestHex, requestDigestHex, answerEncrypted }: IdempotencyRecord,
  requestDigest: Buffer,
): StoredResponse {
  const encrypted = Buffer.from(requestDigestHex, 'hex').toString('utf8');
  const firstDigest = keyRing.decrypt(REQUEST_PURPOSE, encrypted, digestHex);
  if (firstDigest === undefined || !timingSafeEqual(firstDigest, requestDigest)) {
    throw new GatewayError('idempotency_conflict');
  }
  if (answerEncrypted === null) {
    throw new GatewayError('idempotency_in_progress', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const text = keyRing.decrypt(RESPONSE_PURPOSE, answerEncrypted, digestHex);
  if (text === undefined) throw new GatewayError('idempotency_conflict');
  return JSON.parse(Buffer.from(text).toString('utf8')) as StoredResponse;
}

function digestSha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
