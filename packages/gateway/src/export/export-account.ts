/**
 * The export of a user's own data. It is above the families of handlers, because it combines what their routes return.
 */
import { listIdentities } from '../account/identity-handlers.ts';
import { listUserEvents } from '../account/list-user-events.ts';
import { showProfile } from '../account/show-profile.ts';
import { listApplications } from '../account/user-applications.ts';
import { listDevices } from '../devices/list-devices.ts';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { showFactors } from '../mfa/show-factors.ts';
import { listPasskeys } from '../passkeys/list-passkeys.ts';
import type { Handler } from '../runtime/handler.ts';
import { listSessions } from '../tokens/list-sessions.ts';

const PAGE = '60';
/** Limits the work of one export. A user has at most 100 devices and sessions; of events, the newest 3,000 are exported. */
const MAX_PAGES = 50;

/** POST /user/export. */
export const exportAccount: Handler<'userExport'> = async (deps, request) => {
  const { caller } = request;
  const whole = { ...request, query: undefined, body: undefined, params: undefined };
  const ofPage = (cursor: string | undefined) => ({
    ...whole,
    query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
  });
  const profile = await showProfile(deps, whole);
  const factors = await showFactors(deps, whole);
  const events = await readAll(async (cursor) => {
    const { events: items, next_cursor: next } = (await listUserEvents(deps, ofPage(cursor))).body;
    return { items, next };
  });
  const parts = {
    identities: await ifOffered(async () => (await listIdentities(deps, whole)).body.identities),
    passkeys: await ifOffered(async () => (await listPasskeys(deps, whole)).body.passkeys),
    devices: await ifOffered(() =>
      readAll(async (cursor) => {
        const { devices: items, next_cursor: next } = (await listDevices(deps, ofPage(cursor))).body;
        return { items, next };
      }).then(({ all }) => all),
    ),
    sessions: await ifOffered(() =>
      readAll(async (cursor) => {
        const { sessions: items, next_cursor: next } = (await listSessions(deps, ofPage(cursor))).body;
        return { items, next };
      }).then(({ all }) => all),
    ),
    applications: await ifOffered(async () => (await listApplications(deps, whole)).body.applications),
    events: events.all,
    events_truncated: events.isTruncated,
  };
  const user = { sub: caller.sub, username: caller.username };
  await recordGatewayEvent(deps, request.call, {
    type: 'user.exported',
    user,
    actor: { kind: 'user', id: caller.sub },
  });
  const { factors: names, recovery_codes_left } = factors.body;
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Your data.',
      data: {},
      exported_at: new Date(deps.clock.now()).toISOString(),
      user: profile.body.user,
      factors: names,
      recovery_codes_left,
      ...parts,
    },
  };
};

interface ItemPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface WholeList<Item> {
  readonly all: readonly Item[];
  /** Whether there are more items than an export contains. */
  readonly isTruncated: boolean;
}

async function readAll<Item>(
  readPage: (cursor: string | undefined) => Promise<ItemPage<Item>>,
): Promise<WholeList<Item>> {
  const all: Item[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { items, next } = await readPage(cursor);
    all.push(...items);
    if (next === null) return { all, isTruncated: false };
    cursor = next;
  }
  return { all, isTruncated: true };
}

/** The list; empty if the service does not offer the feature. */
async function ifOffered<Item>(read: () => Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'feature_disabled') return [];
    throw error;
  }
}
