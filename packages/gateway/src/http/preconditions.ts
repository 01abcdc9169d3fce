/**
 * Conditional changes: the `ETag` of a resource, and the `If-Match` of its next change.
 * @see https://datatracker.ietf.org/doc/html/rfc9110#section-13.1.1
 */
import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { StoredResponse } from './idempotency.ts';

/** The members of a response that do not belong to its resource. */
const AROUND_RESOURCE: ReadonlySet<string> = new Set(['status', 'message', 'data']);

/** Returns the strong entity tag of the resource in a response. Equal resources have equal tags on every replica. */
export function createEntityTag(body: unknown): string {
  const members = Object.entries(Object(body)).filter(([name]) => !AROUND_RESOURCE.has(name));
  const text = JSON.stringify(Object.fromEntries(members), sortMembers);
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const MAX_LENGTH = 1024;
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
const LIST = new RegExp(`^${TAG.source}(?:[ \\t]*,[ \\t]*${TAG.source})*$`);

/** Longer than any request takes. A process that crashed blocks a version no longer than this. */
const CLAIM_LIFETIME_MS = 120_000;

/** A change of a resource that its sender has read. */
export interface ConditionalChange {
  /** The `If-Match` header. */
  readonly ifMatch: string;
  /** Reads the resource. */
  readonly read: () => Promise<StoredResponse>;
}

/**
 * Makes a change only if the resource is still as its sender has read it. Of several such changes to one version, on any replica, only one
 * is made.
 * @throws {GatewayError} malformed_request: the header is malformed; precondition_failed: the resource has changed, or another change of
 *   this version is running; whatever reading it throws, for example because it no longer exists
 */
export async function changeIfUnmodified(
  deps: GatewayDeps,
  { ifMatch, read }: ConditionalChange,
  change: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const accepts = parseIfMatch(ifMatch);
  const readTag = async (): Promise<string> => createEntityTag((await read()).body);
  const tag = await readTag();
  if (!accepts(tag)) throw new GatewayError('precondition_failed');
  const { idempotencyKeys } = deps.records;
  const nowMs = deps.clock.now();
  const digestHex = createHash('sha256')
    .update(JSON.stringify(['if-match', deps.userPoolId, tag]))
    .digest('hex');
  const claim = { digestHex, requestDigestHex: '', answerEncrypted: null, expiresAtMs: nowMs + CLAIM_LIFETIME_MS };
  if ((await idempotencyKeys.claim(claim, nowMs)) !== undefined) throw new GatewayError('precondition_failed');
  try {
    // Another change may have been made before this one claimed the version.
    if ((await readTag()) !== tag) throw new GatewayError('precondition_failed');
    return await change();
  } finally {
    await idempotencyKeys.release(digestHex);
  }
}

/** Weak tags never match (RFC 9110 §8.8.3.2). */
function parseIfMatch(header: string): (tag: string) => boolean {
  const text = header.trim();
  if (text === '*') return () => true;
  if (text.length > MAX_LENGTH || !LIST.test(text))
    throw new GatewayError('malformed_request', 'If-Match must be * or a list of entity tags, such as "abc".');
  const tags = new Set(text.match(TAG));
  return (tag) => tags.has(tag);
}
