/** Why a service did not start although its configuration is well formed. */
export type StartErrorCode =
  | 'data_dir'
  | 'secrets_file'
  | 'store_refused'
  | 'store_unreachable'
  | 'setting_refused'
  | 'address_in_use'
  | 'address_refused'
  | 'tls_files';

/** A start that an operator can repair. The message is one line for people and holds no secret. */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
    this.code = code;
  }
}
