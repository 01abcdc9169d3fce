import { timingSafeEqual } from 'node:crypto';
import type { MacPorts } from '../kernel/ports.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import type { PoolRecord } from '../store/records.ts';

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/;

/** What a refresh token that this pool made says. */
export interface RefreshTokenContent {
  readonly loginId: string;
  readonly generation: number;
}

/**
 * The refresh token of one generation of a login. It is the same text whenever it is made, so nothing needs to be kept of it:
 * login id, generation, and a MAC of both under the pool's secret.
 */
export function createRefreshToken(ports: MacPorts, pool: PoolRecord, loginId: string, generation: number): string {
  const content = `${loginId}.${generation}`;
  return `${content}.${Buffer.from(computePoolMac(ports, pool, 'refresh-token', content)).toString('base64url')}`;
}

/** Whether a text has the form of a refresh token, whoever made it. */
export function hasRefreshTokenFormat(text: string): boolean {
  return FORM.test(text);
}

/** What a refresh token says, or undefined unless this pool made exactly this text. */
export function verifyRefreshToken(ports: MacPorts, pool: PoolRecord, token: string): RefreshTokenContent | undefined {
  const parts = FORM.exec(token);
  if (parts === null) return undefined;
  const [, loginId = '', digits] = parts;
  const generation = Number(digits);
  // As long as the token, because the form leaves no other way to write the same.
  const made = createRefreshToken(ports, pool, loginId, generation);
  return timingSafeEqual(Buffer.from(made), Buffer.from(token)) ? { loginId, generation } : undefined;
}
