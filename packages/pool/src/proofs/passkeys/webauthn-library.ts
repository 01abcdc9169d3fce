import type * as Server from '@simplewebauthn/server';
import type * as Helpers from '@simplewebauthn/server/helpers';

/** The library for WebAuthn's formats. */
export type WebAuthnLibrary = typeof Server & typeof Helpers;

let loading: Promise<WebAuthnLibrary> | undefined;

/** Loads the library on first use, because loading it takes as much time as loading everything else together. */
export function loadWebAuthnLibrary(): Promise<WebAuthnLibrary> {
  loading ??= importLibrary().catch((error: unknown) => {
    // The next call tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function importLibrary(): Promise<WebAuthnLibrary> {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...library, ...helpers };
}
