const PREFIX = 'tkn';
const SESSION_ID = /^tkn[0-9a-z]{25}$/;
const HEX_DIGITS = 32;
const DIGITS = 25;
const BASE = 36;
const MAX_NUMBER = 2n ** 128n - 1n;

/**
 * Formats the id of a login as a Cognito token session: 28 characters, `tkn` and the login's UUID as 25 digits of base 36.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SessionDescriptionType.html
 */
export function toSessionId(loginId: string): string {
  const number = BigInt(`0x${loginId.replaceAll('-', '')}`);
  return `${PREFIX}${number.toString(BASE).padStart(DIGITS, '0')}`;
}

/** Returns the login with this session id; undefined for malformed text. */
export function parseSessionId(sessionId: string): string | undefined {
  if (!SESSION_ID.test(sessionId)) return undefined;
  let number = 0n;
  for (const digit of sessionId.slice(PREFIX.length))
    number = number * BigInt(BASE) + BigInt(Number.parseInt(digit, BASE));
  if (number > MAX_NUMBER) return undefined;
  const hex = number.toString(16).padStart(HEX_DIGITS, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
