import type { WebRouteName } from '@poolgate/contract';
import type { HandlerResponse, RouteRequest } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { Browser } from './browser.ts';

/** Where a handler writes what an operator must know. The same warning is written once an hour. */
export interface WebLog {
  warn(facts: object, message: string): void;
}

/** The work of one route of browser sessions. Cookies that it gives are those of the browser. */
export type WebHandler<Name extends WebRouteName> = (
  runtime: GatewayRuntime,
  request: RouteRequest<Name> & { readonly browser: Browser; readonly log: WebLog },
) => Promise<HandlerResponse<Name>>;
