import type { Clock, TriggerOutcome, TriggerTarget } from '@poolgate/pool';
import { type AllowedTargets, type ExchangeOutcome, isSuccess, postSignedAndRead } from '../senders/signed-post.ts';
import { MAX_RESPONSE_BYTES, parseJsonResponse } from './json-answer.ts';

/** The options of functions behind a URL. */
export interface UrlTargetOptions {
  /** `whsec_` and the key in base64; it signs the post. */
  readonly secret: string;
  readonly clock: Clock;
  readonly targets: AllowedTargets;
}

/** An error of the function itself. Other statuses mean that it did not run. */
const REFUSED = 422;

/**
 * Statuses that mean that the function is unavailable. Every other status concerns only this event. Anyone can influence the content of an
 * event, so an event that makes the function fail must not stop the others.
 */
const NOT_REACHED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Posts the event to a URL, signed by Standard Webhooks, and treats the response as the function's result. It is 200 with the completed
 * event, or 422 with `{ "errorMessage": "…" }`, as Lambda reports a failure.
 */
export function createUrlTarget(url: string, { secret, clock, targets }: UrlTargetOptions): TriggerTarget {
  const receiver = new URL(url);
  return {
    async invoke(event, signal, id) {
      const at = new Date(clock.now());
      const post = { url: receiver, secret, id: `trg_${id}`, body: JSON.stringify(event), at };
      return toTriggerOutcome(await postSignedAndRead(post, signal, targets, MAX_RESPONSE_BYTES));
    },
  };
}

const FAILURES = {
  forbidden: { kind: 'failed', why: 'AccessDeniedException', isWorthRetrying: false },
  unreachable: { kind: 'failed', why: 'ServiceException', isWorthRetrying: true, isRefused: true },
  unanswered: { kind: 'failed', why: 'ServiceException', isWorthRetrying: true },
} as const satisfies Record<Exclude<ExchangeOutcome['kind'], 'answered'>, TriggerOutcome>;

function toTriggerOutcome(exchange: ExchangeOutcome): TriggerOutcome {
  if (exchange.kind !== 'answered') return FAILURES[exchange.kind];
  const { status, body } = exchange;
  const { answer } = parseJsonResponse(body);
  if (isSuccess(status)) return { kind: 'answered', answer };
  const { errorMessage } = Object(answer) as { readonly errorMessage?: unknown };
  if (status === REFUSED && typeof errorMessage === 'string') return { kind: 'refused', message: errorMessage };
  const isWorthRetrying = status >= 500 || status === 429 || status === 408;
  const failed = { kind: 'failed', why: 'ServiceException', isWorthRetrying } as const;
  return NOT_REACHED.has(status) ? failed : { ...failed, isReached: true };
}
