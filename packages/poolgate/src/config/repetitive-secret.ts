/** As hexadecimal digits, 32 random characters almost always have more than ten different ones. */
const MIN_DIFFERENT = 8;

/**
 * Whether a secret is too uniform to be random: few different characters, or one part repeated. A secret that is not uniform may still be
 * easy to guess.
 */
export function isRepetitiveSecret(secret: string): boolean {
  return new Set(secret).size < MIN_DIFFERENT || isRepeatedPiece(secret);
}

function isRepeatedPiece(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}
