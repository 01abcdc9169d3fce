/**
 * Sign-ins at devices without a browser (RFC 8628). A request is two encrypted rows that expire after ten minutes. One is found by the code
 * that the user types, the other by the code that the device polls with. One statement uses up each row.
 */
import type { CheckedAuthorizationRequest } from '@poolgate/provider';
import { toHex, utf8 } from '@poolgate/srp';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** How long a code is valid, in seconds. */
export const DEVICE_CODE_SECONDS = 600;

/** Only consonants, so that codes form no words (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LETTERS = 8;
const DEVICE_CODE_BYTES = 32;

/** The request that a user approves or denies. */
export interface DeviceRequest
  extends Pick<
    CheckedAuthorizationRequest,
    'ClientId' | 'ClientName' | 'SsoSeconds' | 'AdmitsLocalUsers' | 'IdentityProviders' | 'Request'
  > {
  readonly deviceDigestHex: string;
  /** The source address of the device. */
  readonly sourceAddress: string;
  readonly expiresAtMs: number;
}

/** The result for the device. */
export interface DeviceOutcome {
  readonly clientId: string;
  readonly state: 'pending' | 'denied' | 'granted';
  /** The code for tokens, once the request is granted. */
  readonly code?: string;
}

const PURPOSES = { user: 'device-user-code', device: 'device-code' } as const;
type Holder = keyof typeof PURPOSES;

/** A code of one pool is unknown to other pools. */
function digestCode({ engine, userPoolId }: GatewayRuntime, holder: Holder, code: string): string {
  return toHex(engine.sha256(utf8(`${PURPOSES[holder]} ${userPoolId} ${code}`)));
}

/** Normalizes a typed code; undefined if it cannot be a code. */
export function parseUserCode(text: string | undefined): string | undefined {
  const letters = (text ?? '').toUpperCase().replace(/[\s-]/g, '');
  const isCode = letters.length === USER_CODE_LETTERS && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? letters : undefined;
}

/** Formats a code in two groups, as users read it. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LETTERS / 2)}-${code.slice(USER_CODE_LETTERS / 2)}`;
}

/** Draws letters with equal probability: bytes beyond the last whole multiple are drawn again. */
function drawUserCode({ random }: GatewayRuntime): string {
  let code = '';
  const limit = 256 - (256 % LETTERS.length);
  while (code.length < USER_CODE_LETTERS) {
    const [byte = limit] = random(1);
    if (byte < limit) code += LETTERS[byte % LETTERS.length];
  }
  return code;
}

/** Stores a device's request; returns the code for its user and the code for the device. */
export async function startDeviceAuthorization(
  runtime: GatewayRuntime,
  { ClientId, ClientName, SsoSeconds, AdmitsLocalUsers, IdentityProviders, Request }: CheckedAuthorizationRequest,
  sourceAddress: string,
): Promise<{ readonly userCode: string; readonly deviceCode: string }> {
  const userCode = drawUserCode(runtime);
  const deviceCode = Buffer.from(runtime.random(DEVICE_CODE_BYTES)).toString('base64url');
  const expiresAtMs = runtime.clock.now() + DEVICE_CODE_SECONDS * 1000;
  const deviceDigestHex = digestCode(runtime, 'device', deviceCode);
  const asked = { ClientId, ClientName, SsoSeconds, AdmitsLocalUsers, IdentityProviders, Request };
  const request: DeviceRequest = { ...asked, deviceDigestHex, sourceAddress, expiresAtMs };
  await putRow(runtime, 'device', deviceDigestHex, { clientId: ClientId, state: 'pending' }, expiresAtMs);
  await putRow(runtime, 'user', digestCode(runtime, 'user', userCode), request, expiresAtMs);
  return { userCode, deviceCode };
}

async function putRow(
  { keyRing, records }: GatewayRuntime,
  holder: Holder,
  digestHex: string,
  content: DeviceRequest | DeviceOutcome,
  expiresAtMs: number,
): Promise<void> {
  const startEncrypted = keyRing.encrypt(PURPOSES[holder], utf8(JSON.stringify(content)), digestHex);
  await records.pendingSrp.put({ digestHex, startEncrypted, expiresAtMs });
}

/** @param use whether to use up the row, so that only one of several callers gets it */
async function readRow<Content>(
  { keyRing, records, clock }: GatewayRuntime,
  holder: Holder,
  digestHex: string,
  use: 'find' | 'consume',
): Promise<Content | undefined> {
  const row = await records.pendingSrp[use](digestHex, clock.now());
  const bytes = row && keyRing.decrypt(PURPOSES[holder], row.startEncrypted, digestHex);
  return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as Content);
}

/** Finds the request of a user's code. */
export function findDeviceRequest(runtime: GatewayRuntime, userCode: string): Promise<DeviceRequest | undefined> {
  return readRow(runtime, 'user', digestCode(runtime, 'user', userCode), 'find');
}

/** Finds and uses up the request of a user's code. */
export function consumeDeviceRequest(runtime: GatewayRuntime, userCode: string): Promise<DeviceRequest | undefined> {
  return readRow(runtime, 'user', digestCode(runtime, 'user', userCode), 'consume');
}

/** Stores the user's decision for the device. */
export function decideDeviceRequest(
  runtime: GatewayRuntime,
  { deviceDigestHex, ClientId: clientId, expiresAtMs }: DeviceRequest,
  decision: Omit<DeviceOutcome, 'clientId'>,
): Promise<void> {
  return putRow(runtime, 'device', deviceDigestHex, { clientId, ...decision }, expiresAtMs);
}

/** Returns the result of a device's request; undefined also for a request of another client. */
export async function findDeviceOutcome(
  runtime: GatewayRuntime,
  clientId: string,
  deviceCode: string,
): Promise<DeviceOutcome | undefined> {
  const found = await readRow<DeviceOutcome>(runtime, 'device', digestCode(runtime, 'device', deviceCode), 'find');
  return found?.clientId === clientId ? found : undefined;
}

/** Returns the result once it is decided, and uses it up. */
export function consumeDeviceOutcome(runtime: GatewayRuntime, deviceCode: string): Promise<DeviceOutcome | undefined> {
  return readRow(runtime, 'device', digestCode(runtime, 'device', deviceCode), 'consume');
}

const POLLS_PER_MINUTE = 12;

/** Whether a device keeps to its polling interval. */
export async function mayPoll(runtime: GatewayRuntime, deviceCode: string): Promise<boolean> {
  return takeShare(runtime, `device ${digestCode(runtime, 'device', deviceCode)}`, POLLS_PER_MINUTE);
}

const ENTRIES_PER_MINUTE = 6;

/** Whether a signed-in user may try another code. With a hundred thousand codes at a time, so few guesses find none in years. */
export async function mayEnterCode(runtime: GatewayRuntime, sub: string): Promise<boolean> {
  return takeShare(runtime, `device-entry ${sub}`, ENTRIES_PER_MINUTE);
}

async function takeShare({ records, clock }: GatewayRuntime, name: string, perMinute: number): Promise<boolean> {
  const taken = await records.rates.take([{ name, costMs: Math.floor(60_000 / perMinute) }], clock.now());
  return taken.includes(name);
}
