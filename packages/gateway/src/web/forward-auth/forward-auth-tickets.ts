import { Buffer } from 'node:buffer';
import { WEB_ROUTES } from '@poolgate/contract';
import { constantTimeEqual, utf8 } from '@poolgate/srp';
import type { GatewayDeps } from '../../kernel/deps.ts';
import type { WebTicketRecord } from '../../records/index.ts';
import { toDigestHex } from '../digest-hex.ts';

const TICKET = /^[\w-]{43}$/;
const TICKET_BYTES = 32;
const BROWSER_SECRET = /^[\w-]{43}$/;
const BROWSER_SECRET_BYTES = 32;
/** Long enough for one redirect. */
const LIFE_MS = 60_000;

type Deps = Pick<GatewayDeps, 'records' | 'random' | 'clock'>;

/**
 * Returns the secret that a browser keeps while it is away, so that its ticket is worthless in another one. A browser that has one keeps
 * it, so that several tabs can sign in at the same time.
 */
export function ensureBrowserSecret({ random }: Deps, known: string | undefined): string {
  if (known !== undefined && BROWSER_SECRET.test(known)) return known;
  return Buffer.from(random(BROWSER_SECRET_BYTES)).toString('base64url');
}

/** Stores a ticket and returns the callback's address with it. */
export async function createCallbackUrl(
  { records, random, clock }: Deps,
  target: URL,
  bound: { readonly familyId: string; readonly browserDigestHex: string },
): Promise<string> {
  const ticket = Buffer.from(random(TICKET_BYTES)).toString('base64url');
  const { origin, href: returnTo } = target;
  const expiresAtMs = clock.now() + LIFE_MS;
  await records.webTickets.insert({ ...bound, digestHex: toDigestHex(ticket), origin, returnTo, expiresAtMs });
  return `${origin}${WEB_ROUTES.webForwardAuthCallback.path}?ticket=${ticket}`;
}

/** Consumes a ticket. Undefined if it is unknown, used or expired. */
export async function consumeTicket(
  { records, clock }: Deps,
  ticket: string | undefined,
): Promise<WebTicketRecord | undefined> {
  if (ticket === undefined || !TICKET.test(ticket)) return undefined;
  return await records.webTickets.consume(toDigestHex(ticket), clock.now());
}

/** Whether a ticket was issued to the browser with this secret. */
export function isTicketForBrowser({ browserDigestHex }: WebTicketRecord, secret: string): boolean {
  return constantTimeEqual(utf8(browserDigestHex), utf8(toDigestHex(secret)));
}
