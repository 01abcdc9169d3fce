/** The JSON forms of WebAuthn Level 3 §5.1, for browsers without their own methods. The service requests no extensions. */

type Bytes = Uint8Array<ArrayBuffer>;

/** Decodes base64url text. */
export function decodeBase64Url(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Encodes bytes as base64url without padding. */
function encodeBase64Url(bytes: ArrayBuffer | Uint8Array): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Transports are hints. Browsers ignore those that they do not know. */
function toDescriptors(list: readonly PublicKeyCredentialDescriptorJSON[] = []): PublicKeyCredentialDescriptor[] {
  return list.map(({ id, transports }) => ({
    type: 'public-key',
    id: decodeBase64Url(id),
    ...(transports === undefined ? {} : { transports: transports as AuthenticatorTransport[] }),
  }));
}

/** Converts the options of a login to the browser's form, with bytes. */
export function parseRequestOptions(json: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials, extensions: _, ...rest } = json;
  return {
    ...rest,
    challenge: decodeBase64Url(challenge),
    ...(allowCredentials === undefined ? {} : { allowCredentials: toDescriptors(allowCredentials) }),
  } as PublicKeyCredentialRequestOptions;
}

/** Converts the options of a registration to the browser's form, with bytes. */
export function parseCreationOptions(json: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
  const { challenge, user, excludeCredentials, extensions: _, ...rest } = json;
  return {
    ...rest,
    challenge: decodeBase64Url(challenge),
    user: { ...user, id: decodeBase64Url(user.id) },
    excludeCredentials: toDescriptors(excludeCredentials),
  } as PublicKeyCredentialCreationOptions;
}

/** Converts an assertion to JSON. It is written out because the `toJSON` of some password managers' credentials fails. */
export function toAssertionJson(credential: PublicKeyCredential): unknown {
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse;
  return {
    ...toCredentialFields(credential),
    response: {
      clientDataJSON: encodeBase64Url(clientDataJSON),
      authenticatorData: encodeBase64Url(authenticatorData),
      signature: encodeBase64Url(signature),
      ...(userHandle === null ? {} : { userHandle: encodeBase64Url(userHandle) }),
    },
  };
}

/** Converts a new credential to JSON. */
export function toAttestationJson(credential: PublicKeyCredential): unknown {
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...toCredentialFields(credential),
    response: {
      clientDataJSON: encodeBase64Url(response.clientDataJSON),
      attestationObject: encodeBase64Url(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

function toCredentialFields({ rawId, type, authenticatorAttachment }: PublicKeyCredential) {
  const id = encodeBase64Url(rawId);
  const attachment = authenticatorAttachment === null ? {} : { authenticatorAttachment };
  return { id, rawId: id, type, clientExtensionResults: {}, ...attachment };
}
