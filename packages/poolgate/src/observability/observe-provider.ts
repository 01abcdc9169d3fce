import {
  type IdentityProvider,
  OAuthError,
  ProviderError,
  type ProviderErrorCode,
  wrapOperations,
} from '@poolgate/provider';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** What observes the operations of the provider. */
export interface Observers {
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
}

type AnyFunction = (...input: readonly unknown[]) => unknown;

/** Published dashboards and alerts count the errors of the OAuth endpoints under Cognito's code for rejected credentials. */
const OAUTH_OUTCOME: ProviderErrorCode = 'NotAuthorizedException';

/** Returns how an operation failed: the error code, or `defect` for any other error. */
function toOutcome(error: unknown): string {
  if (error instanceof OAuthError) return OAUTH_OUTCOME;
  return error instanceof ProviderError ? error.code : 'defect';
}

async function measureOperation(metrics: Metrics, operation: string, run: () => Promise<unknown>): Promise<unknown> {
  const startMs = performance.now();
  const end = (outcome: string): void => {
    metrics.add('poolgate_operations_total', { operation, outcome });
    metrics.observeSeconds('poolgate_operation_seconds', { operation }, (performance.now() - startMs) / 1_000);
  };
  try {
    const result = await run();
    end('ok');
    return result;
  } catch (error) {
    end(toOutcome(error));
    throw error;
  }
}

/** Returns the same provider with its operations counted, timed and traced. Without observers it returns the provider itself. */
export function observeProvider(provider: IdentityProvider, { metrics, tracing }: Observers): IdentityProvider {
  if (metrics === undefined && tracing === undefined) return provider;
  const observe = (name: string, run: () => Promise<unknown>): Promise<unknown> => {
    const traced = tracing === undefined ? run : () => tracing.operation(name, run);
    return metrics === undefined ? traced() : measureOperation(metrics, name, traced);
  };
  const wrapped = wrapOperations(
    provider,
    (name, operation) => ((input, call) => observe(name, () => operation(input, call))) as typeof operation,
  );
  return { ...wrapped, extensions: observeExtensions(provider.extensions, observe) };
}

/** Extensions are a table of functions; some functions are in a nested table. */
function observeExtensions<Table extends object>(
  table: Table,
  observe: (name: string, run: () => Promise<unknown>) => Promise<unknown>,
): Table {
  const rows = Object.entries(table).map(([name, row]: [string, unknown]) => {
    if (typeof row === 'function') {
      const run = row as AnyFunction;
      return [name, (...input: readonly unknown[]) => observe(name, async () => run.apply(table, [...input]))];
    }
    return [name, typeof row === 'object' && row !== null ? observeExtensions(row, observe) : row];
  });
  return Object.fromEntries(rows) as Table;
}
