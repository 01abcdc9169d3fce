import type { ErrorCode, FieldError } from '@poolgate/contract';

/**
 * What can go wrong before the service has answered: `network_error`, it could not be reached; `aborted`, the caller gave up;
 * `unexpected_answer`, the answer is none of this service.
 */
export type LocalErrorCode = 'network_error' | 'aborted' | 'unexpected_answer';

/** Every code of a {@link PoolgateError}. */
export type ClientErrorCode = ErrorCode | LocalErrorCode;

/** A page that was opened at another address than the service has. */
export interface WrongAddress {
  readonly opened: string;
  /** The address of the service. */
  readonly baseUrl: string;
}

/** What is missing to confirm a registration without its session. With `validation_failed` only attributes are. */
export interface RegistrationRequirement {
  /** The SRP identity of the registration and the salt of its password; absent where the service does not tell them. */
  readonly username?: string;
  readonly salt?: string;
  /** Attributes that have to be sent with a new password. */
  readonly required_attributes: readonly string[];
}

/** What is known of a failure. */
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

/** The one error of this package: what the service refused, or why it could not be asked. */
export class PoolgateError extends Error {
  override readonly name = 'PoolgateError';
  /** A stable word; programs decide by it. */
  declare readonly code: ClientErrorCode;
  /** The HTTP status; 0 where there was no answer. */
  declare readonly status: number;
  /** The members of the request that were refused; empty unless `code` is `validation_failed`. */
  declare readonly fieldErrors: readonly FieldError[];
  /** Names the request in the log of the service. */
  declare readonly requestId: string | undefined;
  /** How many seconds to wait before another try, where the service says so. */
  declare readonly retryAfterSeconds: number | undefined;
  /** A stable word that says more than the code, where the service gives one. */
  declare readonly reason: string | undefined;
  /** Both addresses, where `reason` is `wrong_address`. */
  declare readonly address: WrongAddress | undefined;
  /** What a confirmation needs; undefined for every other refusal. */
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

/** The error that an answer of the service stands for. */
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
    // The service asks for a second at least.
    retryAfterSeconds: Number(answer.headers.get('retry-after')) || undefined,
  });
}

/** The error that a failed `fetch` stands for. */
export function toNetworkError(cause: unknown): PoolgateError {
  const isAbort = cause instanceof DOMException && cause.name === 'AbortError';
  return new PoolgateError({ code: isAbort ? 'aborted' : 'network_error', cause });
}
