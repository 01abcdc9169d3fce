/** What was wrong with a value that the other side sent. Values must lie between 1 and N - 1, both excluded. */
export type SrpErrorCode =
  | 'malformed_hex'
  | 'malformed_base64'
  | 'malformed_timestamp'
  | 'public_value_out_of_range'
  | 'private_value_out_of_range'
  | 'scrambling_zero'
  | 'weak_verifier'
  | 'weak_salt';

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
    super(`${field}: ${code}`, options);
    this.code = code;
    this.field = field;
  }
}
