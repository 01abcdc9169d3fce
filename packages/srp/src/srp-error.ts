/** Why a received value was rejected. Values must be greater than 1 and less than N - 1. */
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
 * A received value that the protocol forbids. `field` is the value's name (`SRP_A`, `SALT`, `u`, …). The error never contains the value
 * itself. Source: RFC 5054 §2.5.3 and §2.5.4 (abort if A, B or u is zero).
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
