import type { PasskeyFailure } from './outcome.ts';

/** What a browser gave, as JSON (WebAuthn Level 3 §5.1.3), or why it gave nothing. */
export type Ceremony = { readonly credential: string } | { readonly failure: PasskeyFailure };

/** How a passkey is asked for. */
export interface GetOptions {
  /** True: it is offered in the autofill of a field, and waits until it is chosen or aborted. */
  readonly isConditional?: boolean;
  readonly signal?: AbortSignal;
}

/** The part of a browser that has passkeys. */
export interface PasskeyBrowser {
  /** @param options `PublicKeyCredentialRequestOptionsJSON`, as JSON text */
  get(options: string, how?: GetOptions): Promise<Ceremony>;
}

/** For programs outside a browser: nothing of it is there. */
export const noPasskeys: PasskeyBrowser = {
  get: async () => ({ failure: 'notSupported' }),
};
