import type { WebRouteName } from '@poolgate/contract';
import type { Answer, RouteRequest } from '../handler.ts';
import type { GatewayRuntime } from '../runtime.ts';
import type { Browser } from './browser.ts';

/** The work of one route of browser sessions. Cookies that it gives are those of the browser. */
export type WebHandler<Name extends WebRouteName> = (
  runtime: GatewayRuntime,
  request: RouteRequest<Name> & { readonly browser: Browser },
) => Promise<Answer<Name>>;
