import type * as Server from '@simplewebauthn/server';
import type * as Helpers from '@simplewebauthn/server/helpers';

/** The library that knows WebAuthn's formats. */
export type WebAuthnLibrary = typeof Server & typeof Helpers;

/**
 * Loads it. That takes as long as loading everything else together, and it is wanted only once somebody uses a passkey:
 * so not at the start.
 */
export async function loadWebAuthnLibrary(): Promise<WebAuthnLibrary> {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...library, ...helpers };
}
