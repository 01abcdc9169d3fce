import { Buffer } from 'node:buffer';
import { constantTimeEqual, utf8 } from '@poolgate/srp';
import type { GatewayDeps } from '../../deps.ts';
import { digestOf } from '../digest.ts';

/** The member of an application's query that carries a ticket, always the last one. */
const PARAMETER = 'poolgate_ticket';
const AT_END = /[?&]poolgate_ticket=([\w-]{1,64})$/;
const TICKET_BYTES = 32;
const BROWSER_SECRET_BYTES = 32;
/** For one redirect. */
const LIFE_MS = 60_000;

type Deps = Pick<GatewayDeps, 'records' | 'random' | 'clock'>;

/** What a browser keeps while it is away, so that its ticket is worth nothing in another one. */
export function newBrowserSecret({ random }: Deps): string {
  return Buffer.from(random(BROWSER_SECRET_BYTES)).toString('base64url');
}

/** Makes a ticket and puts it behind a URL of the application. */
export async function urlWithTicket(
  { records, random, clock }: Deps,
  target: URL,
  bound: { readonly familyId: string; readonly browserDigestHex: string },
): Promise<string> {
  const ticket = Buffer.from(random(TICKET_BYTES)).toString('base64url');
  const { origin } = target;
  const expiresAtMs = clock.now() + LIFE_MS;
  await records.webTickets.insert({ ...bound, digestHex: digestOf(ticket), origin, expiresAtMs });
  const { pathname, search } = target;
  return `${origin}${pathname}${search === '' ? '?' : `${search}&`}${PARAMETER}=${ticket}`;
}

/** A path with query, and the ticket behind it. */
export function splitTicket(uri: string): { readonly uri: string; readonly ticket: string | undefined } {
  const [found, ticket] = AT_END.exec(uri) ?? [];
  return found === undefined ? { uri, ticket: undefined } : { uri: uri.slice(0, -found.length), ticket };
}

/** Uses a ticket up for nothing. */
export async function dropTicket({ records, clock }: Deps, ticket: string): Promise<void> {
  await records.webTickets.consume(digestOf(ticket), clock.now());
}

/**
 * Uses a ticket up.
 * @returns the family of the session; undefined where it was used, is too old, or is for another application or browser
 */
export async function useTicket(
  { records, clock }: Deps,
  ticket: string,
  { origin, browserSecret }: { readonly origin: string; readonly browserSecret: string },
): Promise<string | undefined> {
  const found = await records.webTickets.consume(digestOf(ticket), clock.now());
  if (found === undefined || found.origin !== origin) return undefined;
  return constantTimeEqual(utf8(found.browserDigestHex), utf8(digestOf(browserSecret))) ? found.familyId : undefined;
}
