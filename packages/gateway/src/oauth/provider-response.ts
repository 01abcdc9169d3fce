import { OAuthError } from '@poolgate/provider';
import { toHex, utf8 } from '@poolgate/srp';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type OAuthRequest, UNREADABLE } from './oauth-endpoint.ts';

/** The parameters that are read from a provider's response (RFC 6749 §4.1.2, RFC 9207; only Apple sends `user`). */
const NAMES = ['state', 'code', 'iss', 'error', 'user'] as const;
const MAX_LENGTH = 4_096;

/** The parameters with which a browser returns from an identity provider. */
export type ProviderResponse = Readonly<Record<string, string>>;

/**
 * Reads the response of a provider.
 * @throws {OAuthError} `invalid_request`: a parameter came twice, or cannot be read
 */
export function readProviderResponse(sent: OAuthRequest['query']): ProviderResponse {
  const entries = NAMES.flatMap((name) => {
    const values = Object.hasOwn(sent, name) ? (sent[name] ?? []) : [];
    const [value = ''] = values;
    if (values.length > 1 || value.length > MAX_LENGTH || (name !== 'user' && UNREADABLE.test(value))) {
      throw new OAuthError('invalid_request', `The parameter ${name} is malformed.`);
    }
    return values.length === 0 ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

const PURPOSE = 'provider-response';
const HANDLE_BYTES = 32;
const LIFE_MS = 60_000;

function digestHandle({ engine }: GatewayRuntime, handle: string): string {
  return toHex(engine.sha256(utf8(`${PURPOSE} ${handle}`)));
}

/**
 * Stores a response that a provider had posted, encrypted. A form of another site brings no cookies, so the browser returns with the handle.
 * URLs never contain names or email addresses.
 * @returns the handle, which works once
 */
export async function storeProviderResponse(runtime: GatewayRuntime, response: ProviderResponse): Promise<string> {
  const { keyRing, records, clock, random } = runtime;
  const handle = Buffer.from(random(HANDLE_BYTES)).toString('base64url');
  const digestHex = digestHandle(runtime, handle);
  const startEncrypted = keyRing.encrypt(PURPOSE, utf8(JSON.stringify(response)), digestHex);
  await records.pendingSrp.put({ digestHex, startEncrypted, expiresAtMs: clock.now() + LIFE_MS });
  return handle;
}

/** The response of a handle, once. */
export async function consumeProviderResponse(
  runtime: GatewayRuntime,
  handle: string,
): Promise<ProviderResponse | undefined> {
  const { keyRing, records, clock } = runtime;
  const digestHex = digestHandle(runtime, handle);
  const row = await records.pendingSrp.consume(digestHex, clock.now());
  const bytes = row && keyRing.decrypt(PURPOSE, row.startEncrypted, digestHex);
  return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as ProviderResponse);
}
