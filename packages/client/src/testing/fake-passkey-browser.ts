import { Buffer } from 'node:buffer';
import { SoftwareAuthenticator } from '@poolgate/gateway/testing';

const encodeBase64Url = (bytes: BufferSource): string => Buffer.from(bytes as Uint8Array).toString('base64url');
const toBuffer = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text, 'base64url')).buffer;

/** What a fake browser received and does. */
export interface FakePasskeyBrowser {
  readonly authenticator: SoftwareAuthenticator;
  /** The options of each ceremony, as the browser received them. */
  readonly requests: CredentialRequestOptions[];
  readonly signals: [name: string, facts: unknown][];
  /** What the user does instead of using the passkey. */
  userAction: ((signal: AbortSignal) => Promise<Credential | null>) | undefined;
  leave(): void;
}

/** Gives this program the passkey functions of a browser, with a real software authenticator, until it is uninstalled. */
export function installFakePasskeyBrowser(origin: string): FakePasskeyBrowser {
  const authenticator = new SoftwareAuthenticator({ origin });
  const signals: FakePasskeyBrowser['signals'] = [];
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const page: FakePasskeyBrowser = {
    authenticator,
    requests: [],
    signals,
    userAction: undefined,
    leave() {
      if (before !== undefined) Object.defineProperty(globalThis, 'navigator', before);
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    },
  };
  const signal = (name: string) => async (facts: unknown) => {
    await new Promise(setImmediate);
    signals.push([name, facts]);
  };
  const credentials = {
    async get(options: CredentialRequestOptions): Promise<Credential | null> {
      page.requests.push(options);
      if (page.userAction !== undefined) return page.userAction(options.signal as AbortSignal);
      const { challenge, rpId = '', allowCredentials } = options.publicKey ?? ({} as PublicKeyCredentialRequestOptions);
      const allowed = allowCredentials?.map(({ id }) => ({ id: encodeBase64Url(id) }));
      const { response, ...made } = authenticator.assert({
        challenge: encodeBase64Url(challenge),
        rpId,
        ...(allowed === undefined ? {} : { allowCredentials: allowed }),
      });
      return toCredential(made.id, {
        clientDataJSON: toBuffer(response.clientDataJSON),
        authenticatorData: toBuffer(response.authenticatorData),
        signature: toBuffer(response.signature),
        userHandle: response.userHandle === undefined ? null : toBuffer(response.userHandle),
      });
    },
    async create({ publicKey, signal: aborted }: CredentialCreationOptions): Promise<Credential | null> {
      if (page.userAction !== undefined) return page.userAction(aborted as AbortSignal);
      const { challenge, rp, user } = publicKey ?? ({} as PublicKeyCredentialCreationOptions);
      const options = {
        challenge: encodeBase64Url(challenge),
        rp: { id: rp.id ?? '' },
        user: { id: encodeBase64Url(user.id) },
      };
      const { response, id } = authenticator.register(options);
      return toCredential(id, {
        clientDataJSON: toBuffer(response.clientDataJSON),
        attestationObject: toBuffer(response.attestationObject),
        getTransports: () => ['internal'],
      });
    },
  };
  Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true });
  Object.assign(globalThis, {
    PublicKeyCredential: {
      isConditionalMediationAvailable: async () => true,
      signalUnknownCredential: signal('unknownCredential'),
      signalAllAcceptedCredentials: signal('allAcceptedCredentials'),
      signalCurrentUserDetails: signal('currentUserDetails'),
    },
  });
  return page;
}

function toCredential(id: string, response: object): Credential {
  const rawId = toBuffer(id);
  return { id, rawId, type: 'public-key', authenticatorAttachment: 'platform', response } as unknown as Credential;
}
