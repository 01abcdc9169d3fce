/** Why a service with a valid configuration did not start. */
export type StartErrorCode =
  | 'data_dir'
  | 'secrets_file'
  | 'store_refused'
  | 'store_unreachable'
  | 'setting_refused'
  | 'address_in_use'
  | 'address_refused'
  | 'tls_files';

/** A failed start that an operator can fix. The message is one line for people and contains no secret. */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
    this.code = code;
  }
}
