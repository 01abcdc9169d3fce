import type { ErrorCode, FieldError } from '@poolgate/contract';

/**
 * Errors without a response from the service. `network_error`: it could not be reached. `aborted`: the caller aborted. `unexpected_answer`:
 * the response did not come from this service.
 */
export type LocalErrorCode = 'network_error' | 'aborted' | 'unexpected_answer';

/** Every code of a {@link PoolgateError}. */
export type ClientErrorCode = ErrorCode | LocalErrorCode;

/** A page that was opened at another address than the service's. */
export interface WrongAddress {
  readonly opened: string;
  /** The address of the service. */
  readonly baseUrl: string;
}

/** What a confirmation without the registration's session needs. With `validation_failed`, only attributes are missing. */
export interface RegistrationRequirement {
  /** The SRP identity of the registration and the salt of its password; absent if the service does not reveal them. */
  readonly username?: string;
  readonly salt?: string;
  /** Attributes that must be sent with a new password. */
  readonly required_attributes: readonly string[];
}

/** The details of an error. */
export interface PoolgateErrorFacts {
  readonly code: ClientErrorCode;
  readonly status?: number;
  readonly detail?: string | undefined;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly address?: WrongAddress | undefined;
  readonly reason?: string | undefined;
  readonly registration?: RegistrationRequirement | undefined;
  readonly availableChallenges?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** The only error class of this package: the service refused a request, or could not be reached. */
export class PoolgateError extends Error {
  override readonly name = 'PoolgateError';
  /** A stable code for programs. */
  declare readonly code: ClientErrorCode;
  /** The HTTP status; 0 without a response. */
  declare readonly status: number;
  /** The invalid members of the request; empty unless `code` is `validation_failed`. */
  declare readonly fieldErrors: readonly FieldError[];
  /** Identifies the request in the service's log. */
  declare readonly requestId: string | undefined;
  /** How many seconds to wait before another try, if the service says so. */
  declare readonly retryAfterSeconds: number | undefined;
  /** A stable word that refines the code, if the service sends one. */
  declare readonly reason: string | undefined;
  /** Both addresses if `reason` is `wrong_address`. */
  declare readonly address: WrongAddress | undefined;
  /** What a confirmation needs; undefined for every other error. */
  declare readonly registration: RegistrationRequirement | undefined;

  /**
   * For a locked password: the other first factors that the pool offers, for `login.withFactor`. Undefined for every other error. The list
   * is the same for every username.
   */
  declare readonly availableChallenges: readonly string[] | undefined;

  constructor({ detail, cause, status = 0, fieldErrors = [], ...facts }: PoolgateErrorFacts) {
    super(detail ?? facts.code, { cause });
    Object.assign(this, facts, { status, fieldErrors });
  }
}

interface Problem {
  readonly code: ErrorCode;
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly reason?: string;
  readonly opened_at?: string;
  readonly base_url?: string;
  readonly available_challenges?: readonly string[];
  readonly registration?: RegistrationRequirement;
}

/** Creates the error for a response of the service. */
export async function toPoolgateError(answer: Response): Promise<PoolgateError> {
  const body: Partial<Problem> | null | undefined = await answer.json().catch(() => undefined);
  const problem = typeof body?.code === 'string' ? body : {};
  const { opened_at: opened, base_url: baseUrl } = problem;
  return new PoolgateError({
    code: problem.code ?? 'unexpected_answer',
    status: answer.status,
    detail: problem.detail,
    fieldErrors: problem.errors,
    reason: problem.reason,
    registration: problem.registration,
    availableChallenges: problem.available_challenges,
    address: opened === undefined || baseUrl === undefined ? undefined : { opened, baseUrl },
    requestId: answer.headers.get('x-request-id') ?? undefined,
    // The service requests at least one second.
    retryAfterSeconds: Number(answer.headers.get('retry-after')) || undefined,
  });
}

/** Creates the error for a failed `fetch`. */
export function toNetworkError(cause: unknown): PoolgateError {
  const isAbort = cause instanceof DOMException && cause.name === 'AbortError';
  return new PoolgateError({ code: isAbort ? 'aborted' : 'network_error', cause });
}
