/**
 * Errors of the protocol itself, raised before an operation is reached, with their HTTP status and default text.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/CommonErrors.html
 */
export const PROTOCOL_ERRORS = {
  AccessDeniedException: { status: 400, message: 'User is not authorized to perform this operation.' },
  IncompleteSignatureException: { status: 400, message: 'The request signature does not conform to AWS standards.' },
  InvalidSignatureException: {
    status: 400,
    message: 'The request signature we calculated does not match the signature you provided.',
  },
  MissingAuthenticationTokenException: { status: 400, message: 'Missing Authentication Token' },
  RequestEntityTooLargeException: { status: 413, message: 'The request body is too large.' },
  SerializationException: { status: 400, message: 'The request body could not be read.' },
  ServiceUnavailableException: { status: 503, message: 'The service is not able to handle the request now.' },
  UnknownOperationException: { status: 400, message: 'The requested operation is not known to the service.' },
  UnrecognizedClientException: {
    status: 400,
    message: 'The security token included in the request is invalid.',
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

/** The name of a protocol error. */
export type ProtocolErrorName = keyof typeof PROTOCOL_ERRORS;

/** A protocol error, raised before an operation is reached. The message is sent to the caller and never contains a secret. */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorName;
  /** The HTTP status. */
  readonly status: number;

  constructor(code: ProtocolErrorName, message: string = PROTOCOL_ERRORS[code].message, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'ProtocolError';
    this.code = code;
    this.status = PROTOCOL_ERRORS[code].status;
  }
}
