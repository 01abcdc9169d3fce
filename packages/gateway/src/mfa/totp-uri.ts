/** What an authenticator is told about an account. */
export interface TotpAccount {
  /** Who asks for the codes: the host of the service. */
  readonly issuer: string;
  /** Whose codes they are; undefined where it is not known. */
  readonly name: string | undefined;
  readonly secretCode: string;
}

// With every character percent-encoded, as much still fits into the largest QR code (ISO/IEC 18004 table 7).
const MAX_NAME_CODE_POINTS = 128;

/**
 * The URI that authenticators read. SHA-1, six digits and thirty seconds are what they take for granted.
 * A longer name is cut: it is there for a person to read.
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

/** RFC 3986 §2.2 reserves a few signs that the platform's function leaves alone; some readers trip over them. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
