const MEANINGS = {
  malformed_hex: 'is not a hexadecimal number of an allowed length',
  malformed_base64: 'is not standard base64 with padding',
  malformed_timestamp: 'is not a timestamp of the expected form',
  public_value_out_of_range: 'lies outside 1 < value < N - 1',
  private_value_out_of_range: 'lies outside 1 < value < N - 1',
  scrambling_zero: 'is zero',
  weak_verifier: 'lies outside 1 < value < N - 1',
  weak_salt: 'has a length that is not allowed',
} as const;

/** What was wrong with a value that the other side sent. */
export type SrpErrorCode = keyof typeof MEANINGS;

/**
 * A value from outside that the protocol forbids. `field` is the value's name (`SRP_A`, `SALT`, `u`, …);
 * neither the message nor any member ever holds the value itself.
 * Source: RFC 5054 §2.5.3 and §2.5.4 (abort on A, B or u of zero).
 */
export class SrpError extends Error {
  override readonly name = 'SrpError';
  readonly code: SrpErrorCode;
  readonly field: string;

  constructor(code: SrpErrorCode, field: string, options?: ErrorOptions) {
    super(`${field} ${MEANINGS[code]}`, options);
    this.code = code;
    this.field = field;
  }
}
