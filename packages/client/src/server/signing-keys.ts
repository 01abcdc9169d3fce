/** How long published keys are taken for good, so that retired ones go. */
const KEYS_LIVE_MS = 5 * 60_000;
/** How long the service is not asked again for a key id that it did not have: anybody can invent one. */
const UNKNOWN_KEY_WAIT_MS = 10_000;

/** Signing keys by their ids. */
export interface SigningKeys {
  /** Undefined where the service publishes no such key. @throws {PoolgateError} */
  find(kid: string): Promise<CryptoKey | undefined>;
}

interface PublishedKey extends JsonWebKey {
  readonly kid?: string;
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** Reads the published keys of an issuer, and keeps them for some minutes (RFC 7517). */
export function createSigningKeys(load: () => Promise<readonly PublishedKey[]>, now: () => number): SigningKeys {
  let keys: ReadonlyMap<string, CryptoKey> = new Map();
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  const reload = async (): Promise<void> => {
    const usable = (await load()).filter(({ kty, kid }) => kty === 'RSA' && kid !== undefined);
    const imported = usable.map((jwk) => importSigningKey(jwk).then((key) => [jwk.kid ?? '', key] as const));
    keys = new Map(await Promise.all(imported));
    loadedAtMs = now();
  };
  const refresh = (): Promise<void> => {
    pending ??= reload().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return {
    async find(kid) {
      const ageMs = Math.abs(now() - loadedAtMs);
      const isDue = keys.has(kid) ? ageMs > KEYS_LIVE_MS : ageMs > UNKNOWN_KEY_WAIT_MS;
      if (isDue) await refresh();
      return keys.get(kid);
    },
  };
}

function importSigningKey({ n = '', e = '' }: PublishedKey): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', { kty: 'RSA', n, e }, RS256, false, ['verify']);
}

/** Whether the key signed the data (RS256, RFC 7518 §3.3). */
export function verifySignature(key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean> {
  return crypto.subtle.verify(RS256, key, signature, data);
}
