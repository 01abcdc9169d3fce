import type { RequestObserver } from '@poolgate/gateway';
import type { Observers } from './observe-provider.ts';

/** Counts, times and traces requests; undefined without observers. */
export function createRequestObserver({ metrics, tracing }: Observers): RequestObserver | undefined {
  if (metrics === undefined && tracing === undefined) return undefined;
  return (request, proceed) => {
    const { method, route } = request;
    const endSpan = tracing === undefined ? undefined : tracing.request(request, proceed);
    if (tracing === undefined) proceed();
    return ({ status, seconds }) => {
      endSpan?.(status);
      metrics?.add('poolgate_http_requests_total', { method, route, status: String(status) });
      metrics?.observeSeconds('poolgate_http_request_seconds', { route }, seconds);
    };
  };
}
