import type { RouteResponse } from '../transport/routes.ts';
import { type AccountDependencies, type PageOf, type PageRequest, toPageQuery } from './account-requests.ts';

/** A login of the user, as the service shows it. */
export type UserSession = RouteResponse<'sessionList'>['sessions'][number];

/** Where the user is logged in. */
export interface Sessions {
  /** Newest first. @throws {PoolgateError} */
  list(page?: PageRequest): Promise<PageOf<UserSession>>;
  /** Ends one. @throws {PoolgateError} `session_not_found` */
  end(id: string): Promise<void>;
  /** Ends all, this one too. @throws {PoolgateError} */
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
