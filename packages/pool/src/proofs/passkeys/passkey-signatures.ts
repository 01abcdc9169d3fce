const SEQUENCE = 0x30;
const INTEGER = 0x02;
const P256_BYTES = 32;

/** How long an RS256 signature is depends on the key, and a verifier looks: there is one way of writing it. */
const STRICT: Readonly<Record<number, (signature: Uint8Array) => boolean>> = {
  [-7]: isDerPair,
  [-257]: () => true,
};

/**
 * Whether a signature is written in the one way that its algorithm has. A library that reads no further than to the end
 * of the second number takes anything behind it, and a signature would be good in any number of forms.
 * @param algorithm COSE number
 * @see WebAuthn Level 3 §6.5.5
 */
export function isCanonicalSignature(algorithm: unknown, signature: Uint8Array): boolean {
  return typeof algorithm === 'number' && STRICT[algorithm]?.(signature) === true;
}

/** `ECDSA-Sig-Value` (RFC 3279 §2.2.3) in DER: two positive numbers below the order of P-256, as short as they can be, and nothing behind. */
function isDerPair(signature: Uint8Array): boolean {
  const { 0: tag, 1: length, length: all } = signature;
  if (tag !== SEQUENCE || length !== all - 2) return false;
  const afterFirst = findIntegerEnd(signature, 2);
  return afterFirst !== undefined && findIntegerEnd(signature, afterFirst) === all;
}

/** Where an integer that begins here ends; undefined where none begins. */
function findIntegerEnd(bytes: Uint8Array, at: number): number | undefined {
  const [tag, length = 0, first = 0, second = 0] = bytes.subarray(at);
  const hasSign = first === 0;
  const mostBytes = hasSign ? P256_BYTES + 1 : P256_BYTES;
  const isShortest = first < 0x80 && (!hasSign || second >= 0x80);
  if (tag !== INTEGER || length < (hasSign ? 2 : 1) || length > mostBytes || !isShortest) return undefined;
  return at + 2 + length <= bytes.length ? at + 2 + length : undefined;
}
