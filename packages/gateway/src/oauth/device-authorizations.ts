/**
 * Sign-ins at devices without a browser (RFC 8628). A request is two encrypted rows, which expire after ten minutes: one is found by the code
 * that the user types, the other by the code that the device polls with. Each row is used up by one statement.
 */
import type { CheckedAuthorizationRequest } from '@poolgate/provider';
import { toHex, utf8 } from '@poolgate/srp';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** How long a user has, in seconds. */
export const DEVICE_CODE_SECONDS = 600;

/** Consonants alone, so that no words come of it (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LETTERS = 8;
const DEVICE_CODE_BYTES = 32;

/** What a user is asked to agree to. */
export interface DeviceRequest
  extends Pick<CheckedAuthorizationRequest, 'ClientId' | 'ClientName' | 'SsoSeconds' | 'Request'> {
  readonly deviceDigestHex: string;
  /** Where the device asked from. */
  readonly sourceAddress: string;
  readonly expiresAtMs: number;
}

/** What has become of it, for the device. */
export interface DeviceOutcome {
  readonly clientId: string;
  readonly state: 'pending' | 'denied' | 'granted';
  /** For which the pool gives tokens, once it is granted. */
  readonly code?: string;
}

const PURPOSES = { user: 'device-user-code', device: 'device-code' } as const;
type Holder = keyof typeof PURPOSES;

/** A code of one pool is none at another. */
function digestCode({ engine, userPoolId }: GatewayRuntime, holder: Holder, code: string): string {
  return toHex(engine.sha256(utf8(`${PURPOSES[holder]} ${userPoolId} ${code}`)));
}

/** A code as it was made, however it was typed; undefined where it can be none. */
export function parseUserCode(text: string | undefined): string | undefined {
  const letters = (text ?? '').toUpperCase().replace(/[\s-]/g, '');
  const isCode = letters.length === USER_CODE_LETTERS && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? letters : undefined;
}

/** In two groups, as users read it. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LETTERS / 2)}-${code.slice(USER_CODE_LETTERS / 2)}`;
}

/** Letters that are equally likely: bytes beyond the last whole multiple are drawn again. */
function drawUserCode({ random }: GatewayRuntime): string {
  let code = '';
  const limit = 256 - (256 % LETTERS.length);
  while (code.length < USER_CODE_LETTERS) {
    const [byte = limit] = random(1);
    if (byte < limit) code += LETTERS[byte % LETTERS.length];
  }
  return code;
}

/** Stores a request of a device; gives the code for its user, and the one for itself. */
export async function startDeviceAuthorization(
  runtime: GatewayRuntime,
  { ClientId, ClientName, SsoSeconds, Request }: CheckedAuthorizationRequest,
  sourceAddress: string,
): Promise<{ readonly userCode: string; readonly deviceCode: string }> {
  const userCode = drawUserCode(runtime);
  const deviceCode = Buffer.from(runtime.random(DEVICE_CODE_BYTES)).toString('base64url');
  const expiresAtMs = runtime.clock.now() + DEVICE_CODE_SECONDS * 1000;
  const deviceDigestHex = digestCode(runtime, 'device', deviceCode);
  const asked = { ClientId, ClientName, SsoSeconds, Request };
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

/** @param use whether the row is used up, so that of several callers one gets it */
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

/** The request of a user's code. */
export function findDeviceRequest(runtime: GatewayRuntime, userCode: string): Promise<DeviceRequest | undefined> {
  return readRow(runtime, 'user', digestCode(runtime, 'user', userCode), 'find');
}

/** The same, once. */
export function consumeDeviceRequest(runtime: GatewayRuntime, userCode: string): Promise<DeviceRequest | undefined> {
  return readRow(runtime, 'user', digestCode(runtime, 'user', userCode), 'consume');
}

/** Tells the device what its user decided. */
export function decideDeviceRequest(
  runtime: GatewayRuntime,
  { deviceDigestHex, ClientId: clientId, expiresAtMs }: DeviceRequest,
  decision: Omit<DeviceOutcome, 'clientId'>,
): Promise<void> {
  return putRow(runtime, 'device', deviceDigestHex, { clientId, ...decision }, expiresAtMs);
}

/** What has become of the request of a device; undefined for one of another client, too. */
export async function findDeviceOutcome(
  runtime: GatewayRuntime,
  clientId: string,
  deviceCode: string,
): Promise<DeviceOutcome | undefined> {
  const found = await readRow<DeviceOutcome>(runtime, 'device', digestCode(runtime, 'device', deviceCode), 'find');
  return found?.clientId === clientId ? found : undefined;
}

/** The same, once it was decided: used up by it. */
export function consumeDeviceOutcome(runtime: GatewayRuntime, deviceCode: string): Promise<DeviceOutcome | undefined> {
  return readRow(runtime, 'device', digestCode(runtime, 'device', deviceCode), 'consume');
}

const POLLS_PER_MINUTE = 12;

/** Whether a device polls no more often than it was told. */
export async function mayPoll(runtime: GatewayRuntime, deviceCode: string): Promise<boolean> {
  return takeShare(runtime, `device ${digestCode(runtime, 'device', deviceCode)}`, POLLS_PER_MINUTE);
}

const ENTRIES_PER_MINUTE = 6;

/** Whether a user, who is signed in, may try another code. Of a hundred thousand codes at a time, such guesses find none in years. */
export async function mayEnterCode(runtime: GatewayRuntime, sub: string): Promise<boolean> {
  return takeShare(runtime, `device-entry ${sub}`, ENTRIES_PER_MINUTE);
}

async function takeShare({ records, clock }: GatewayRuntime, name: string, perMinute: number): Promise<boolean> {
  const taken = await records.rates.take([{ name, costMs: Math.floor(60_000 / perMinute) }], clock.now());
  return taken.includes(name);
}
