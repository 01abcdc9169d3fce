import type { AnswerOf } from '../routes.ts';
import { type AccountContext, type PageOf, type PageRequest, pageQuery } from './context.ts';

/** A login of the user, as the service shows it. */
export type UserSession = AnswerOf<'sessionList'>['sessions'][number];

/** Where the user is logged in. */
export interface Sessions {
  /** Newest first. @throws {PoolgateError} */
  list(page?: PageRequest): Promise<PageOf<UserSession>>;
  /** Ends one. @throws {PoolgateError} `session_not_found` */
  end(id: string): Promise<void>;
  /** Ends all, this one too. @throws {PoolgateError} */
  endAll(): Promise<void>;
}

/** Sessions over a context. */
export function createSessions({ transport, keeper }: AccountContext): Sessions {
  return {
    async list(page = {}) {
      const answer = await transport.send('sessionList', { query: pageQuery(page) });
      return { items: answer.sessions, nextCursor: answer.next_cursor };
    },
    end: async (id) => void (await transport.send('sessionEnd', { params: { id } })),
    async endAll() {
      await transport.send('logoutForced');
      await keeper.drop();
    },
  };
}
