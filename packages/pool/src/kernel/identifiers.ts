import type { Random } from './ports.ts';

const LOWER_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LETTERS_AND_DIGITS = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${LOWER_AND_DIGITS}`;

/** Generates a random UUID (RFC 9562 version 4). */
export function generateUuid(random: Random): string {
  const bytes = random(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Generates a random text over an alphabet of at most 256 characters. Every text is equally likely. */
export function generateRandomText(random: Random, alphabet: string, length: number): string {
  const fairBelow = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < fairBelow && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** Generates a pool id in Cognito's format: region, `_`, nine letters and digits. */
export function generatePoolId(random: Random, region: string): string {
  return `${region}_${generateRandomText(random, LETTERS_AND_DIGITS, 9)}`;
}

/** Generates a client id in Cognito's format: 26 lowercase letters and digits. */
export function generateClientId(random: Random): string {
  return generateRandomText(random, LOWER_AND_DIGITS, 26);
}

/** Generates a client secret in Cognito's format: 51 lowercase letters and digits, 263 random bits. */
export function generateClientSecretText(random: Random): string {
  return generateRandomText(random, LOWER_AND_DIGITS, 51);
}
