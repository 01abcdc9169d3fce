/** The account data for an authenticator. */
export interface TotpAccount {
  /** The service that requires the codes, by the name that users know. */
  readonly issuer: string;
  /** The account's name; undefined if unknown. */
  readonly name: string | undefined;
  readonly secretCode: string;
}

// The length that fits into the largest QR code even if every character is percent-encoded (ISO/IEC 18004 table 7).
const MAX_NAME_CODE_POINTS = 128;

/**
 * Formats the URI for authenticators, whose defaults are SHA-1, six digits and thirty seconds. A longer name is truncated, because it is
 * only for people.
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function formatTotpUri({ issuer, name, secretCode }: TotpAccount): string {
  const by = encode(issuer);
  const label = name === undefined ? by : `${by}:${encode(shortenName(name))}`;
  return `otpauth://totp/${label}?secret=${encode(secretCode)}&issuer=${by}`;
}

function shortenName(name: string): string {
  return [...name.toWellFormed()].slice(0, MAX_NAME_CODE_POINTS).join('');
}

/** Also encodes the characters that RFC 3986 §2.2 reserves and the platform's function leaves, because some readers fail on them. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
