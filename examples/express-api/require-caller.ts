/** Middleware of Express that lets in whoever has an access token or a session of the service. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AuthenticatorOptions, type Caller, createAuthenticator } from '@poolgate/client/server';

/** A request that the middleware has let in: those of Express are such. */
export type CalledRequest = IncomingMessage & { caller?: Caller };

type Next = (error?: unknown) => void;

/** Puts the caller on the request, answers 401 where nobody proves who it is, and hands on that nobody knows (to answer 503). */
export function requireCaller(options: AuthenticatorOptions) {
  const authenticate = createAuthenticator(options);
  return async (request: CalledRequest, response: ServerResponse, next: Next): Promise<void> => {
    let caller: Caller | null;
    try {
      caller = await authenticate(request);
    } catch (error) {
      next(error);
      return;
    }
    if (caller === null) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    request.caller = caller;
    next();
  };
}

/** Who is calling, by the id that never changes; undefined before the middleware. */
export function subjectOf({ caller }: CalledRequest): string | undefined {
  return caller?.kind === 'session' ? caller.user.sub : caller?.claims.sub;
}
