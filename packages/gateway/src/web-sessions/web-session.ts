/**
 * A browser session as it is stored: the row, the encrypted tokens in it, and the factors that were proven.
 */
import type { UserCaller } from '../kernel/caller.ts';
import type { WebSessionState } from '../records/index.ts';
import type { SessionContent } from './session-content.ts';

/** A session as it is kept, opened. Whether its tokens still count is not said by it. */
export interface StoredSession {
  readonly record: WebSessionState;
  readonly content: SessionContent;
}

/** A session whose user is proven: its tokens count at this very request. */
export interface WebSession extends StoredSession {
  readonly caller: UserCaller;
}
