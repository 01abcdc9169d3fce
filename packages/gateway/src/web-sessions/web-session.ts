/** A browser session as it is stored: the row, its encrypted tokens, and the proven factors. */
import type { UserCaller } from '../kernel/caller.ts';
import type { WebSessionState } from '../records/index.ts';
import type { SessionContent } from './session-content.ts';

/** A decrypted session. Its tokens may no longer be valid. */
export interface StoredSession {
  readonly record: WebSessionState;
  readonly content: SessionContent;
}

/** A session with an authenticated user, whose tokens are valid for this request. */
export interface WebSession extends StoredSession {
  readonly caller: UserCaller;
}
