import type { MacPorts } from '../kernel/ports.ts';
import { isEmailAddress, isPhoneNumber } from '../settings/attribute-schema.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolRecord } from '../store/records.ts';

/** The contact with which a decoy user was first named, as far as responses and limits can show it. */
export type DecoyContact =
  | {
      readonly attribute: 'email';
      /** The first letters of the address and of its domain. */
      readonly letters: string;
      /** See {@link computeAddressMark}. */
      readonly mark: string;
    }
  | { readonly attribute: 'phone_number'; readonly number: string };

/*
 * A UUID has 122 free bits. They contain the name of a decoy user under a permutation that only this pool knows. The bits look random, and
 * changing one gives another user. Seven bytes are for the name (0 to 5 and 7). The low nibble of 6 is 0, the low bits of 8 are the kind,
 * and 9 and 10 are 0. Three distinguish spellings, two are letters.
 */
const HALF = 8;
const SIZE = 2 * HALF;
const VERSION_AT = 6;
const VARIANT_AT = 8;
const ZEROS_AT = 9;
const SPELLING_AT = 11;
const LETTERS_AT = 14;
const VERSION_BITS = 0x40;
const VARIANT_BITS = 0x80;
const MARK_BYTES = 7;
const KIND = { other: 0, email: 1, phone: 2 } as const;

const DECOY_ADDRESS = /@.\.([0-9a-f]{14})\.invalid$/;

/**
 * Each round changes one half with the other. After four rounds, the result is indistinguishable from a random permutation (Luby and
 * Rackoff, 1988).
 */
const ROUNDS = [0, 1, 2, 3] as const;

/** Returns the username, a UUID, of the decoy user for an unknown name. It is the same each time and does not show that it is a decoy. */
export function encodeDecoyUserId(ports: MacPorts, pool: PoolRecord, name: string): string {
  const bytes = packDecoyId(ports, pool, name);
  for (const round of ROUNDS) feistelRound(ports, pool, bytes, round);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Returns the contact in a decoy username; undefined if it contains none or was not created here.
 * @param id a UUID in lowercase
 */
export function decodeDecoyContact(ports: MacPorts, pool: PoolRecord, id: string): DecoyContact | undefined {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  for (const round of ROUNDS.toReversed()) feistelRound(ports, pool, bytes, round);
  const kind = byteAt(bytes, VARIANT_AT) - VARIANT_BITS;
  if (bytes[VERSION_AT] !== VERSION_BITS || bytes.readUInt16BE(ZEROS_AT) !== 0) return undefined;
  const mark = Buffer.concat([bytes.subarray(0, VERSION_AT), bytes.subarray(VERSION_AT + 1, HALF)]).toString('hex');
  if (kind === KIND.phone) return { attribute: 'phone_number', number: `+${BigInt(`0x${mark}`)}` };
  return kind === KIND.email ? { attribute: 'email', letters: bytes.toString('latin1', LETTERS_AT), mark } : undefined;
}

/** Formats an address that no one can have. It shows the first letters and contains the mark. */
export function formatDecoyAddress(local: string, domain: string, mark: string): string {
  return `${local}@${domain}.${mark}.invalid`;
}

/** Returns the mark of a decoy address; undefined for other addresses. */
export function parseDecoyAddressMark(address: string): string | undefined {
  return DECOY_ADDRESS.exec(address)?.[1];
}

/** Computes a mark that distinguishes addresses without revealing them, independent of letter case; hex. */
export function computeAddressMark(ports: MacPorts, pool: PoolRecord, address: string): string {
  return computeNameMac(ports, pool, toCanonicalName({ usernamesAreCaseSensitive: false }, address), MARK_BYTES);
}

function packDecoyId(ports: MacPorts, pool: PoolRecord, name: string): Buffer {
  const bytes = Buffer.alloc(SIZE);
  const kind = determineContactKind(name);
  // Always computed, so that timing does not reveal what a name looks like.
  const digest = computeAddressMark(ports, pool, name);
  const mark =
    kind === KIND.phone
      ? BigInt(name.slice(1))
          .toString(16)
          .padStart(2 * MARK_BYTES, '0')
      : digest;
  bytes.write(mark.slice(0, 2 * VERSION_AT), 0, 'hex');
  bytes.write(mark.slice(2 * VERSION_AT), VERSION_AT + 1, 'hex');
  bytes[VERSION_AT] = VERSION_BITS;
  bytes[VARIANT_AT] = VARIANT_BITS | kind;
  bytes.write(computeNameMac(ports, pool, name, LETTERS_AT - SPELLING_AT), SPELLING_AT, 'hex');
  if (kind === KIND.email) bytes.write(readFirstLetters(name), LETTERS_AT, 'latin1');
  return bytes;
}

/** A number of at most fifteen digits (E.164) fits into the bytes of a mark; an address does not. */
function determineContactKind(name: string): number {
  if (isEmailAddress(name)) return KIND.email;
  return isPhoneNumber(name) ? KIND.phone : KIND.other;
}

/** The letters that the masked form of an address shows. */
function readFirstLetters(address: string): string {
  return `${address.charAt(0)}${address.charAt(address.lastIndexOf('@') + 1)}`;
}

function computeNameMac(ports: MacPorts, pool: PoolRecord, text: string, bytes: number): string {
  return Buffer.from(computePoolMac(ports, pool, 'invented-name', text).subarray(0, bytes)).toString('hex');
}

/** One round, which is its own inverse. The six fixed bits of a UUID take part but stay the same, so another version is another user. */
function feistelRound(ports: MacPorts, pool: PoolRecord, bytes: Buffer, round: number): void {
  const start = round % 2 === 0 ? 0 : HALF;
  const fixed = [VERSION_AT, VARIANT_AT].map((at) => byteAt(bytes, at) & ~getFreeBits(at));
  const other = bytes.toString('hex', HALF - start, SIZE - start);
  const pad = computePoolMac(ports, pool, 'invented-id', `${round} ${fixed.join(' ')} ${other}`);
  for (let at = start; at < start + HALF; at += 1) {
    bytes[at] = byteAt(bytes, at) ^ (byteAt(pad, at - start) & getFreeBits(at));
  }
}

/** The bits that a UUID's format leaves free. */
function getFreeBits(at: number): number {
  if (at === VERSION_AT) return 0x0f;
  return at === VARIANT_AT ? 0x3f : 0xff;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
