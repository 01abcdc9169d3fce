const SEQUENCE = 0x30;
const INTEGER = 0x02;
const P256_BYTES = 32;

/** The length of an RS256 signature depends on the key, and the verifier checks it, so it has only one form. */
const STRICT: Readonly<Record<number, (signature: Uint8Array) => boolean>> = {
  [-7]: isDerPair,
  [-257]: () => true,
};

/**
 * Whether a signature has its algorithm's only valid form. A library that reads only up to the end of the second number ignores anything
 * after it, so that a signature would be valid in many forms.
 * @param algorithm COSE number
 * @see WebAuthn Level 3 §6.5.5
 */
export function isCanonicalSignature(algorithm: unknown, signature: Uint8Array): boolean {
  return typeof algorithm === 'number' && STRICT[algorithm]?.(signature) === true;
}

/**
 * `ECDSA-Sig-Value` (RFC 3279 §2.2.3) in DER: two positive numbers below the order of P-256, as short as possible, and nothing after them.
 */
function isDerPair(signature: Uint8Array): boolean {
  const { 0: tag, 1: length, length: all } = signature;
  if (tag !== SEQUENCE || length !== all - 2) return false;
  const afterFirst = findIntegerEnd(signature, 2);
  return afterFirst !== undefined && findIntegerEnd(signature, afterFirst) === all;
}

/** Returns where an integer that starts here ends; undefined if none starts here. */
function findIntegerEnd(bytes: Uint8Array, at: number): number | undefined {
  const [tag, length = 0, first = 0, second = 0] = bytes.subarray(at);
  const hasSign = first === 0;
  const mostBytes = hasSign ? P256_BYTES + 1 : P256_BYTES;
  const isShortest = first < 0x80 && (!hasSign || second >= 0x80);
  if (tag !== INTEGER || length < (hasSign ? 2 : 1) || length > mostBytes || !isShortest) return undefined;
  return at + 2 + length <= bytes.length ? at + 2 + length : undefined;
}
