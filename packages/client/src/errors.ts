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

/** What is known of a failure. */
export interface PoolgateErrorFacts {
  readonly code: ClientErrorCode;
  readonly status?: number;
  readonly detail?: string;
  readonly fieldErrors?: readonly FieldError[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly address?: WrongAddress;
  readonly reason?: string;
  readonly availableChallenges?: readonly string[];
  readonly cause?: unknown;
}

/** The one error of this package: what the service refused, or why it could not be asked. */
export class PoolgateError extends Error {
  override readonly name = 'PoolgateError';
  /** A stable word; programs decide by it. */
  readonly code: ClientErrorCode;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** The members of the request that were refused; empty unless `code` is `validation_failed`. */
  readonly fieldErrors: readonly FieldError[];
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** How many seconds to wait before another try, where the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** A stable word that says more than the code, where the service gives one. */
  readonly reason: string | undefined;
  /** Both addresses, where `reason` is `wrong_address`. */
  readonly address: WrongAddress | undefined;

  /**
   * For a locked password: the other first factors that the pool offers, for `login.withFactor`. Undefined for every other error. The list
   * is the same for every username.
   */
  readonly availableChallenges: readonly string[] | undefined;

  constructor(facts: PoolgateErrorFacts) {
    const {
      code,
      status = 0,
      detail,
      fieldErrors = [],
      requestId,
      retryAfterSeconds,
      availableChallenges,
      cause,
    } = facts;
    super(detail ?? code, { cause });
    this.code = code;
    this.status = status;
    this.fieldErrors = fieldErrors;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = facts.reason;
    this.address = facts.address;
    this.availableChallenges = availableChallenges;
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
}

/** The error that an answer of the service stands for. */
export async function errorOf(answer: Response): Promise<PoolgateError> {
  const body: unknown = await answer.json().catch(() => undefined);
  const problem = isProblem(body) ? body : undefined;
  const requestId = answer.headers.get('x-request-id');
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new PoolgateError({
    code: problem?.code ?? 'unexpected_answer',
    status: answer.status,
    ...(problem?.detail === undefined ? {} : { detail: problem.detail }),
    ...(problem?.errors === undefined ? {} : { fieldErrors: problem.errors }),
    ...(problem?.reason === undefined ? {} : { reason: problem.reason }),
    ...(problem?.opened_at === undefined || problem.base_url === undefined
      ? {}
      : { address: { opened: problem.opened_at, baseUrl: problem.base_url } }),
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(wait) ? { retryAfterSeconds: wait } : {}),
    ...(problem?.available_challenges === undefined ? {} : { availableChallenges: problem.available_challenges }),
  });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && typeof (body as Problem).code === 'string';
}

/** The error that a failed `fetch` stands for. */
export function networkError(cause: unknown): PoolgateError {
  const isAbort = cause instanceof DOMException && cause.name === 'AbortError';
  return new PoolgateError({ code: isAbort ? 'aborted' : 'network_error', cause });
}
