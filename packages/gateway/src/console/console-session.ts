import { Buffer } from 'node:buffer';
import type { AdminScope, CallContext } from '@poolgate/provider';
import { constantTimeEqual, utf8 } from '@poolgate/srp';
import { findActiveAdminKey } from '../guards/admin-key.ts';
import type { AdminCaller } from '../kernel/caller.ts';
import { toClientNetwork } from '../limits/client-address.ts';
import type { AdminKeyRecord, ConsoleSessionRecord } from '../records/index.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { toDigestHex } from '../web/digest-hex.ts';

const ID_BYTES = 32;
const MINUTE_MS = 60_000;
const IDLE_MS = 15 * MINUTE_MS;
const LONGEST_MS = 8 * 60 * MINUTE_MS;

/** An active console session. */
export interface ConsoleSession {
  readonly record: ConsoleSessionRecord;
  readonly label: string;
  /** The scopes that both the session and its key have. */
  readonly scopes: ReadonlySet<AdminScope>;
  readonly csrfToken: string;
}

/**
 * Opens a session for an authenticated admin key.
 * @returns the id for the cookie, and the session; undefined if the key was revoked in the meantime
 */
export async function openConsoleSession(
  runtime: GatewayRuntime,
  { keyId }: AdminCaller,
  { sourceAddress }: CallContext,
): Promise<{ readonly id: string; readonly session: ConsoleSession } | undefined> {
  const key = await findActiveAdminKey(runtime, keyId);
  if (key === undefined) return undefined;
  const nowMs = runtime.clock.now();
  const id = Buffer.from(runtime.random(ID_BYTES)).toString('base64url');
  const record: ConsoleSessionRecord = {
    idDigestHex: toDigestHex(id),
    keyId,
    keyDigestHex: key.secretDigestHex,
    scopes: key.scopes,
    network: toClientNetwork(sourceAddress),
    createdAtMs: nowMs,
    seenAtMs: nowMs,
    endsAtMs: nowMs + LONGEST_MS,
    expiresAtMs: nowMs + IDLE_MS,
  };
  await runtime.records.consoleSessions.insert(record);
  return { id, session: createSession(id, record, key) };
}

/**
 * Finds the session of a cookie, and records its use. The session ends with its key. Another network than the one that opened it has to
 * send the key again.
 */
export async function findConsoleSession(
  runtime: GatewayRuntime,
  id: string | undefined,
  { sourceAddress }: CallContext,
): Promise<ConsoleSession | undefined> {
  if (id === undefined) return undefined;
  const nowMs = runtime.clock.now();
  const { consoleSessions } = runtime.records;
  const record = await consoleSessions.find(toDigestHex(id), nowMs);
  if (record === undefined || record.network !== toClientNetwork(sourceAddress)) return undefined;
  const key = await findActiveAdminKey(runtime, record.keyId);
  if (key === undefined || !constantTimeEqual(utf8(key.secretDigestHex), utf8(record.keyDigestHex))) return undefined;
  if (nowMs - record.seenAtMs < MINUTE_MS) return createSession(id, record, key);
  const expiresAtMs = Math.min(nowMs + IDLE_MS, record.endsAtMs);
  await consoleSessions.touch(record.idDigestHex, nowMs, expiresAtMs);
  return createSession(id, { ...record, seenAtMs: nowMs, expiresAtMs }, key);
}

/**
 * Ends the session of a cookie, from any network.
 * @returns its record, for exactly one caller; undefined if there was none or it had expired
 */
export async function endConsoleSession(
  { records: { consoleSessions }, clock }: GatewayRuntime,
  id: string,
): Promise<ConsoleSessionRecord | undefined> {
  const idDigestHex = toDigestHex(id);
  const record = await consoleSessions.find(idDigestHex, clock.now());
  return (await consoleSessions.end(idDigestHex)) ? record : undefined;
}

/** Derived from the id, which only the cookie contains, so that the store has nothing that admits a change. */
export function createConsoleCsrfToken(id: string): string {
  return toDigestHex(`console-csrf ${id}`);
}

function createSession(id: string, record: ConsoleSessionRecord, key: AdminKeyRecord): ConsoleSession {
  const scopes = new Set(record.scopes.filter((scope) => key.scopes.includes(scope)));
  return { record, label: key.label, scopes, csrfToken: createConsoleCsrfToken(id) };
}
