/** Passkeys: calls of the WebAuthn API, and the JSON form of its options and responses. Browser errors become a few named reasons. */
import type { PasskeyFailure } from './passkey-failure.ts';
import { parseCreationOptions, parseRequestOptions, toAssertionJson, toAttestationJson } from './webauthn-json.ts';

/** A credential as JSON text (WebAuthn Level 3 §5.1.3), or the reason why the browser returned none. */
export type CeremonyResult = { readonly credential: string } | { readonly failure: PasskeyFailure };

/** Options of a passkey request. */
export interface PasskeyRequestOptions {
  /** True to offer it in the autofill of a field until it is chosen or aborted. */
  readonly isConditional?: boolean;
  readonly signal?: AbortSignal;
}

/** Signals that keep the browser's list of passkeys correct (Signal API). */
export interface PasskeySignals {
  /** The service does not know this passkey. */
  readonly unknownCredential: { readonly rpId: string; readonly credentialId: string };
  /** These are all passkeys of a user that the service accepts. */
  readonly allAcceptedCredentials: {
    readonly rpId: string;
    readonly userId: string;
    readonly allAcceptedCredentialIds: readonly string[];
  };
  /** The user's current name. */
  readonly currentUserDetails: {
    readonly rpId: string;
    readonly userId: string;
    readonly name: string;
    readonly displayName: string;
  };
}

/** The passkey functions of a browser. */
export interface BrowserPasskeys {
  /** Whether the browser can offer passkeys in the autofill of a field. */
  hasAutofill(): Promise<boolean>;
  /** @param options `PublicKeyCredentialRequestOptionsJSON`, as JSON text */
  get(options: string, how?: PasskeyRequestOptions): Promise<CeremonyResult>;
  create(options: PublicKeyCredentialCreationOptionsJSON, signal?: AbortSignal): Promise<CeremonyResult>;
  /** Never fails. A browser without this signal leaves its list unchanged. */
  signal<Name extends keyof PasskeySignals>(name: Name, facts: PasskeySignals[Name]): Promise<void>;
}

/** Older browsers lack some members. */
type PublicKey = Partial<typeof PublicKeyCredential>;

/** The method of each signal. */
const SIGNALS = {
  unknownCredential: 'signalUnknownCredential',
  allAcceptedCredentials: 'signalAllAcceptedCredentials',
  currentUserDetails: 'signalCurrentUserDetails',
} as const satisfies Record<keyof PasskeySignals, keyof PublicKey>;

/** The browser's default timeout in milliseconds (WebAuthn Level 3 §15.1). */
const DEFAULT_TIMEOUT_MS = 300_000;

const FAILURES: Readonly<Record<string, PasskeyFailure>> = {
  AbortError: 'cancelled',
  ConstraintError: 'notSupported',
  InvalidStateError: 'alreadyRegistered',
  NotAllowedError: 'cancelled',
  NotSupportedError: 'notSupported',
  TimeoutError: 'timedOut',
};

/** The passkeys of this browser. A request from a button aborts a pending autofill request. */
export function createBrowserPasskeys(now: () => number = () => performance.now()): BrowserPasskeys {
  let offered: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;
  const endOffer = async (): Promise<void> => {
    offered?.abort.abort();
    await offered?.ended.catch(() => undefined);
  };
  /** Runs a ceremony after the previous one has ended, because a browser allows only one at a time. */
  const perform = async (timeoutMs: number, ask: () => Promise<Credential | null>, toJson: typeof toAssertionJson) => {
    const begun = now();
    try {
      const credential = await ask();
      return credential === null
        ? toFailure('cancelled')
        : { credential: JSON.stringify(toJson(credential as PublicKeyCredential)) };
    } catch (error) {
      return toFailure(toPasskeyFailure(error, now() - begun >= timeoutMs));
    }
  };
  return {
    hasAutofill: async () => findCredentialApi()?.isConditionalMediationAvailable?.() ?? false,
    async get(text, { isConditional = false, signal } = {}) {
      if (findCredentialApi() === undefined) return toFailure('notSupported');
      await endOffer();
      const publicKey = parseRequestOptions(JSON.parse(text) as PublicKeyCredentialRequestOptionsJSON);
      const abort = createLinkedAbort(signal);
      const asked = perform(
        isConditional ? Number.POSITIVE_INFINITY : (publicKey.timeout ?? DEFAULT_TIMEOUT_MS),
        () =>
          navigator.credentials.get({
            publicKey,
            signal: abort.signal,
            ...(isConditional ? { mediation: 'conditional' } : {}),
          }),
        toAssertionJson,
      );
      if (isConditional) offered = { abort, ended: asked };
      return asked;
    },
    async create(json, signal) {
      if (findCredentialApi() === undefined) return toFailure('notSupported');
      await endOffer();
      const publicKey = parseCreationOptions(json);
      const abort = createLinkedAbort(signal);
      return perform(
        publicKey.timeout ?? DEFAULT_TIMEOUT_MS,
        () => navigator.credentials.create({ publicKey, signal: abort.signal }),
        toAttestationJson,
      );
    },
    async signal(name, facts) {
      const known = findCredentialApi();
      const send = known?.[SIGNALS[name]] as ((facts: unknown) => Promise<void>) | undefined;
      await send?.call(known, facts).catch(() => undefined);
    },
  };
}

const toFailure = (why: PasskeyFailure): CeremonyResult => ({ failure: why });

function findCredentialApi(): PublicKey | undefined {
  return (globalThis as { readonly PublicKeyCredential?: PublicKey }).PublicKeyCredential;
}

/**
 * Browsers report the same error whether the user declined or never responded. The elapsed time tells them apart.
 * @throws any error that is not a user's decision: the relying party does not match the page's address, or the options are malformed
 */
function toPasskeyFailure(error: unknown, isTimeOver: boolean): PasskeyFailure {
  const name = error instanceof Error ? error.name : '';
  const known = FAILURES[name];
  if (known === undefined) throw error;
  return name === 'NotAllowedError' && isTimeOver ? 'timedOut' : known;
}

function createLinkedAbort(signal: AbortSignal | undefined): AbortController {
  const abort = new AbortController();
  if (signal?.aborted) abort.abort();
  signal?.addEventListener('abort', () => abort.abort(), { once: true });
  return abort;
}
