import { timingSafeEqual } from 'node:crypto';
import type { MacPorts } from '../kernel/ports.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import type { PoolRecord } from '../store/records.ts';

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/;

/** The content of a refresh token from this pool. */
export interface RefreshTokenContent {
  readonly loginId: string;
  readonly generation: number;
}

/**
 * Creates the refresh token of one generation of a login. The text is always the same, so it needs no storage: login id, generation, and a
 * MAC of both with the pool's secret.
 */
export function createRefreshToken(ports: MacPorts, pool: PoolRecord, loginId: string, generation: number): string {
  const content = `${loginId}.${generation}`;
  return `${content}.${Buffer.from(computePoolMac(ports, pool, 'refresh-token', content)).toString('base64url')}`;
}

/** Whether a text has the format of a refresh token. Its origin is not checked. */
export function hasRefreshTokenFormat(text: string): boolean {
  return FORM.test(text);
}

/** Returns the content of a refresh token, or undefined unless this pool created exactly this text. */
export function verifyRefreshToken(ports: MacPorts, pool: PoolRecord, token: string): RefreshTokenContent | undefined {
  const parts = FORM.exec(token);
  if (parts === null) return undefined;
  const [, loginId = '', digits] = parts;
  const generation = Number(digits);
  // Has the length of the token, because the format allows only one spelling.
  const made = createRefreshToken(ports, pool, loginId, generation);
  return timingSafeEqual(Buffer.from(made), Buffer.from(token)) ? { loginId, generation } : undefined;
}
