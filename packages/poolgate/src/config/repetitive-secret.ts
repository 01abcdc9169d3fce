/** As hexadecimal digits, 32 random characters have nearly always more than ten different ones. */
const MIN_DIFFERENT = 8;

/**
 * Whether a secret is so uniform that nobody drew it at random: few different characters, or one piece again and again.
 * That it is not uniform says nothing about how hard it is to guess.
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
