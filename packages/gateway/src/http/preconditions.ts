/**
 * Conditional changes: the `ETag` of a resource, and the `If-Match` of its next change.
 * @see https://datatracker.ietf.org/doc/html/rfc9110#section-13.1.1
 */
import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { claimRequest, type StoredResponse } from './idempotency.ts';

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
/** Takes the place of a tag while a list is checked. No header contains it. */
const TAG_MARK = '\0';

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
  const accepted = parseIfMatch(ifMatch);
  if (accepted === 'any') {
    await read();
    return change();
  }
  const readTag = async (): Promise<string> => createEntityTag((await read()).body);
  const tag = await readTag();
  if (!accepted.has(tag)) throw new GatewayError('precondition_failed');
  const { idempotencyKeys } = deps.records;
  const digest = createHash('sha256')
    .update(JSON.stringify(['if-match', deps.userPoolId, tag]))
    .digest();
  const digestHex = digest.toString('hex');
  if ((await claimRequest(deps, digestHex, digest)) !== undefined) throw new GatewayError('precondition_failed');
  try {
    // Another change may have been made before this one claimed the version.
    if ((await readTag()) !== tag) throw new GatewayError('precondition_failed');
    return await change();
  } finally {
    // A claim that cannot be released expires, and the result of the change matters more.
    await idempotencyKeys.release(digestHex).catch(() => undefined);
  }
}

/** Weak tags never match (RFC 9110 §8.8.3.2), and empty members of a list are ignored (§5.6.1.2). */
function parseIfMatch(header: string): ReadonlySet<string> | 'any' {
  const text = header.trim();
  if (text === '*') return 'any';
  const tags = text.match(TAG) ?? [];
  const members = text.replaceAll(TAG, TAG_MARK).split(',');
  const isList = members.every((member) => ['', TAG_MARK].includes(member.trim()));
  if (text.length > MAX_LENGTH || tags.length === 0 || !isList)
    throw new GatewayError('malformed_request', 'If-Match must be * or a list of entity tags, such as "abc".');
  return new Set(tags);
}
