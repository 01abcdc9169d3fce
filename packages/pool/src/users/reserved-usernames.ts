import { timingSafeEqual } from 'node:crypto';
import { generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, MacPorts, RandomPort } from '../kernel/ports.ts';
import { computePoolMac, type PoolAndClient } from '../settings/pools-and-clients.ts';

const MINUTE_MS = 60_000;

/** Long enough to fill in a form. */
const LIFETIME_MINUTES = 30;

/** Time, random bits and proof share the 16 bytes of a UUID (RFC 9562 §5.8). Its version and variant bits are within the random ones. */
const TIME_BYTES = 3;
const CHANCE_BYTES = 7;
const MAC_AT = TIME_BYTES + CHANCE_BYTES;
const MAX_MINUTES = 2 ** 24;

/**
 * Reserves a username for a person who is about to sign up. Nothing is stored: for half an hour, the pool recognizes it by its content. It
 * looks like every username from the pool, a random UUID.
 */
export function reserveUsername(ports: MacPorts & ClockPort & RandomPort, owner: PoolAndClient): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(countMinutes(ports), 0, TIME_BYTES);
  bytes.set(ports.random(CHANCE_BYTES), TIME_BYTES);
  const marked = decodeUuid(generateUuid(() => Uint8Array.from(bytes)));
  marked.set(computeUsernameMac(ports, owner, marked), MAC_AT);
  return generateUuid(() => Uint8Array.from(marked));
}

/** Whether a username was recently reserved through this client. The store still has to check that it is not taken. */
export function isReservedUsername(ports: MacPorts & ClockPort, owner: PoolAndClient, text: string): boolean {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return false;
  const bytes = decodeUuid(text);
  const age = (countMinutes(ports) - bytes.readUIntBE(0, TIME_BYTES) + MAX_MINUTES) % MAX_MINUTES;
  return timingSafeEqual(bytes.subarray(MAC_AT), computeUsernameMac(ports, owner, bytes)) && age < LIFETIME_MINUTES;
}

function countMinutes({ clock }: ClockPort): number {
  return Math.floor(clock.now() / MINUTE_MS) % MAX_MINUTES;
}

function computeUsernameMac(ports: MacPorts, { pool, client }: PoolAndClient, bytes: Buffer): Uint8Array {
  const head = bytes.subarray(0, MAC_AT).toString('hex');
  return computePoolMac(ports, pool, 'reserved-identity', `${client.id}\n${head}`).subarray(0, bytes.length - MAC_AT);
}

function decodeUuid(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}
