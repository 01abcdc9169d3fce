/** The calling codes of one and two digits. All others have three (ITU-T E.164). */
const SHORT: ReadonlySet<string> = new Set(
  (
    '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 ' +
    '81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
);

/**
 * Returns the country calling code of a phone number.
 * @param number in E.164 format, with its plus sign
 * @returns the digits of the calling code
 * @see https://www.itu.int/pub/T-SP-E.164D
 */
export function parseCallingCode(number: string): string {
  const digits = number.slice(1);
  return [1, 2].map((length) => digits.slice(0, length)).find((code) => SHORT.has(code)) ?? digits.slice(0, 3);
}
