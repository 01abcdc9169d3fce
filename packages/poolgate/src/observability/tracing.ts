import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { readVersion } from '../process/version.ts';

/** Headers of a request, as Node returns them. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Traces what the service does. The names and attributes of spans come from bounded sets: never a user, an address or a value. */
export interface Tracing {
  /** Runs the work of a request inside its span, which ends when the returned function is called. */
  request(
    facts: { readonly method: string; readonly route: string; readonly headers: Headers },
    run: () => void,
  ): EndSpan;
  /** Runs an operation in a span. */
  operation<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

/** Ends the span of a request with the status of its response. */
export type EndSpan = (status: number) => void;

/** Whether an SDK was registered before the service started, e.g. by `node --import`. */
function isTracingRegistered(): boolean {
  const probe = trace.getTracer('poolgate', readVersion()).startSpan('poolgate start');
  const isHeard = probe.spanContext().traceId !== '00000000000000000000000000000000';
  probe.end();
  return isHeard;
}

/** Traces through the OpenTelemetry API; undefined if no SDK is registered, so that tracing costs nothing. */
export function openTracing(): Tracing | undefined {
  return isTracingRegistered() ? createTracing(trace.getTracer('poolgate', readVersion())) : undefined;
}

function createTracing(tracer: Tracer): Tracing {
  return {
    request({ method, route, headers }, run) {
      const parent = propagation.extract(context.active(), headers);
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      context.with(trace.setSpan(parent, span), run);
      return (status) => {
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    operation: (name, run) =>
      tracer.startActiveSpan(name, { attributes: { 'rpc.system': 'aws-api', 'rpc.method': name } }, (span) =>
        runInSpan(span, run),
      ),
  };
}

async function runInSpan<Result>(span: Span, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    span.setAttribute('error.type', toErrorCode(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the code of a Poolgate error, otherwise the class of the error. Never the message, which can repeat a value. */
function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
