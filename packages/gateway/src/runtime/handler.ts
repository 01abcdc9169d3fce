import type { AnyRouteName, CONSOLE_ROUTES, ROUTES, Static, WEB_ROUTES } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import type { AdminCaller, PublicCaller, UserCaller } from '../kernel/caller.ts';
import type { GatewayRuntime } from './runtime.ts';

type Routes = typeof ROUTES & typeof WEB_ROUTES & typeof CONSOLE_ROUTES;
type RouteByName<Name extends AnyRouteName> = Routes[Name];

/** The type of a route's params, query or body; undefined if the route has none. */
type Part<Route, Key extends string> = Route extends { readonly [K in Key]: infer Schema } ? Static<Schema> : undefined;

interface CallerByGuard {
  readonly public: PublicCaller;
  readonly user: UserCaller;
  /** Public if the request has a session, which the provider verifies. */
  readonly 'user-or-session': UserCaller | PublicCaller;
  readonly admin: AdminCaller;
  readonly operator: UserCaller | AdminCaller;
}

/** A request that passed the route's guard, limit and schemas. */
export interface RouteRequest<Name extends AnyRouteName> {
  readonly params: Part<RouteByName<Name>, 'params'>;
  readonly query: Part<RouteByName<Name>, 'query'>;
  readonly body: Part<RouteByName<Name>, 'body'>;
  readonly caller: CallerByGuard[RouteByName<Name>['guard']];
  /** The call context for the provider. */
  readonly call: CallContext;
  /** The client's preferred languages for a page, from the `Accept-Language` header. */
  readonly acceptLanguage: string | undefined;
}

type Responses<Name extends AnyRouteName> = RouteByName<Name>['responses'];

type ResponseBody<Row> = Row extends { readonly schema: infer Schema } ? Static<Schema> : never;

/** A login whose proof was the code of a sign-up or a password reset. */
export interface CodeLogin {
  /** The name with which the code was requested. */
  readonly username: string;
  /** The provider's session. */
  readonly session: string;
}

/** A handler's response: one of the route's statuses with its body. */
export type HandlerResponse<Name extends AnyRouteName> = {
  readonly [Status in keyof Responses<Name>]: {
    readonly status: Status;
    readonly body: ResponseBody<Responses<Name>[Status]>;
    /** Headers that replace those of every response. */
    readonly headers?: Readonly<Record<string, string>>;
    /** A login that the request has proven, for the browser that began it. It is not part of the response. */
    readonly codeLogin?: CodeLogin | undefined;
  };
}[keyof Responses<Name>];

/** The implementation of a route. It throws {@link import('../kernel/gateway-errors.ts').GatewayError} for every error. */
export type Handler<Name extends AnyRouteName> = (
  runtime: GatewayRuntime,
  request: RouteRequest<Name>,
) => Promise<HandlerResponse<Name>>;
