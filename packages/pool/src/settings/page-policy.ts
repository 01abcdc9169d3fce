import type { ClientRecord } from '../store/records.ts';
import { readClientGrants } from './client-grants.ts';

/** What a pool's hosted pages allow. The app clients that send users to them decide it together. */
export interface PagePolicy {
  /** Whether any app client signs users in through the pages. */
  readonly hasPages: boolean;
  /** Whether one of these clients admits the pool's own users, who sign in and sign up with credentials of the pool. */
  readonly admitsLocalUsers: boolean;
  /** The attributes that every one of these clients may read and write; null is all. */
  readonly readAttributes: readonly string[] | null;
  readonly writeAttributes: readonly string[] | null;
}

/** @param clients all app clients of the pool */
export function createPagePolicy(clients: readonly ClientRecord[]): PagePolicy {
  const signingIn = clients.filter(usesPages);
  const settings = signingIn.map((client) => client.settings);
  return {
    hasPages: signingIn.length > 0,
    admitsLocalUsers: signingIn.some((client) => readClientGrants(client).admitsLocalUsers),
    readAttributes: intersect(settings.map(({ readAttributes }) => readAttributes)),
    writeAttributes: intersect(settings.map(({ writeAttributes }) => writeAttributes)),
  };
}

function usesPages(client: ClientRecord): boolean {
  const { flows, allowsDevices, admitsLocalUsers } = readClientGrants(client);
  const { SupportedIdentityProviders: offered = [] } = client.settings.kept ?? {};
  const hasFlow = flows.includes('code') || flows.includes('implicit');
  return (hasFlow && offered.length > 0) || (allowsDevices && admitsLocalUsers);
}

/** Returns nothing for no lists: a pool without such clients grants no attributes. */
function intersect(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  if (lists.length === 0) return [];
  const [first, ...others] = lists.filter((list) => list !== null);
  return first?.filter((name) => others.every((list) => list.includes(name))) ?? null;
}
