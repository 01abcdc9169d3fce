import type { WebRouteName } from '@poolgate/contract';
import type { HandlerResponse, RouteRequest } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { Browser } from './browser.ts';

/** Logs what an operator must know. The same warning is written once an hour. */
export interface WebLog {
  warn(facts: object, message: string): void;
}

/** The implementation of a browser session route. It sets cookies through the browser. */
export type WebHandler<Name extends WebRouteName> = (
  runtime: GatewayRuntime,
  request: RouteRequest<Name> & { readonly browser: Browser; readonly log: WebLog },
) => Promise<HandlerResponse<Name>>;
