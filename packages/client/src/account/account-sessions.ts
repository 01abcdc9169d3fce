import type { RouteResponse } from '../transport/routes.ts';
import { type AccountDependencies, type PageOf, type PageRequest, toPageQuery } from './account-requests.ts';

/** A login of the user in the service's responses. */
export type UserSession = RouteResponse<'sessionList'>['sessions'][number];

/** The user's active logins. */
export interface Sessions {
  /** Lists logins, newest first. @throws {PoolgateError} */
  list(page?: PageRequest): Promise<PageOf<UserSession>>;
  /** Ends one login. @throws {PoolgateError} `session_not_found` */
  end(id: string): Promise<void>;
  /** Ends all logins, including this one. @throws {PoolgateError} */
  endAll(): Promise<void>;
}

/** Creates the methods for sessions. */
export function createSessions({ transport, keeper }: AccountDependencies): Sessions {
  return {
    async list(page = {}) {
      const answer = await transport.send('sessionList', { query: toPageQuery(page) });
      return { items: answer.sessions, nextCursor: answer.next_cursor };
    },
    end: async (id) => void (await transport.send('sessionEnd', { params: { id } })),
    async endAll() {
      await transport.send('logoutForced');
      await keeper.drop();
    },
  };
}
