import { type CallContext, ProviderError } from '@poolgate/provider';
import { listCurrentGroups } from '../../guards/current-groups.ts';
import type { GatewayRuntime } from '../../runtime/runtime.ts';
import type { SessionContent } from '../../web-sessions/session-content.ts';
import type { WebSession } from '../../web-sessions/web-session.ts';
import type { WebLog } from '../web-handler.ts';

interface GroupReadDeps {
  readonly call: CallContext;
  readonly log: WebLog;
}

const NO_RIGHT =
  'Forward authentication cannot pass on groups because the service may not read them. Give it AWS credentials with cognito-idp:AdminListGroupsForUser.';

/**
 * Returns a user's groups in the pool. Those in the tokens do not count, because a trigger can set them. They are read once for each set of
 * a session's tokens.
 * @throws {ProviderError} the provider cannot be reached now
 */
export async function readPoolGroups(
  runtime: GatewayRuntime,
  { content, caller }: Pick<WebSession, 'content' | 'caller'>,
  asking: GroupReadDeps,
): Promise<readonly string[]> {
  const known = read.get(content);
  if (known !== undefined) return known;
  const groups = await readGroups(runtime, caller.username, asking);
  read.set(content, groups);
  return groups;
}

const read = new WeakMap<SessionContent, readonly string[]>();

async function readGroups(
  runtime: GatewayRuntime,
  username: string,
  { call, log }: GroupReadDeps,
): Promise<readonly string[]> {
  try {
    return [...(await listCurrentGroups(runtime, username, call))];
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'AccessDeniedException') throw error;
    log.warn({}, NO_RIGHT);
    return [];
  }
}
