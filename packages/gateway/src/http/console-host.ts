import type { GatewaySettings } from '../kernel/deps.ts';
import { memoizeLast } from './memoize.ts';

type HostSettings = Pick<GatewaySettings, 'baseUrl' | 'consoleUrl'>;

// The setting never changes, so it is parsed once.
const parseHostname = memoizeLast((url: string) => new URL(url).hostname);

/** Whether a host serves the console only. */
export function isConsoleHost({ consoleUrl }: HostSettings, host: string | undefined): boolean {
  return consoleUrl !== undefined && parseHostname(consoleUrl) === host;
}

/**
 * Whether a host serves a route. A console with a separate host is available only there, and nothing else is. No script in a page for
 * users can then reach the console.
 */
export function isServedAt(settings: HostSettings, host: string | undefined, isConsoleRoute: boolean): boolean {
  return settings.consoleUrl === undefined || isConsoleHost(settings, host) === isConsoleRoute;
}
