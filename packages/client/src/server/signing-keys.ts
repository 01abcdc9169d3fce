/** How long published keys are cached, so that retired ones disappear. */
const KEYS_LIVE_MS = 5 * 60_000;
/** How long an unknown key id is not looked up again, because anyone can invent one. */
const UNKNOWN_KEY_WAIT_MS = 10_000;

/** Signing keys by id. */
export interface SigningKeys {
  /** Returns undefined if the service publishes no such key for this algorithm. @throws {PoolgateError} */
  find(kid: string, algorithm: SigningAlgorithm): Promise<CryptoKey | undefined>;
}

interface PublishedKey extends JsonWebKey {
  readonly kid?: string;
}

/** The signature algorithm of each key type. The key, not the token, decides how a signature is verified. */
const ALGORITHMS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
} as const;

/** A signature algorithm of tokens. */
export type SigningAlgorithm = keyof typeof ALGORITHMS;

/** Reads the published keys of an issuer (RFC 7517) and caches them for some minutes. */
export function createSigningKeys(load: () => Promise<readonly PublishedKey[]>, now: () => number): SigningKeys {
  let keys: ReadonlyMap<string, CryptoKey> = new Map();
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  const reload = async (): Promise<void> => {
    const usable = (await load()).filter((jwk) => findAlgorithm(jwk) !== undefined && jwk.kid !== undefined);
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
    async find(kid, algorithm) {
      const ageMs = Math.abs(now() - loadedAtMs);
      const isDue = keys.has(kid) ? ageMs > KEYS_LIVE_MS : ageMs > UNKNOWN_KEY_WAIT_MS;
      if (isDue) await refresh();
      const key = keys.get(kid);
      return key?.algorithm.name === ALGORITHMS[algorithm].name ? key : undefined;
    },
  };
}

function findAlgorithm({ kty, crv }: PublishedKey): SigningAlgorithm | undefined {
  if (kty === 'RSA') return 'RS256';
  return kty === 'EC' && crv === 'P-256' ? 'ES256' : undefined;
}

function importSigningKey(jwk: PublishedKey): Promise<CryptoKey> {
  const { kty, n, e, crv, x, y } = jwk;
  const algorithm = findAlgorithm(jwk) ?? 'RS256';
  const key = algorithm === 'RS256' ? { kty, n, e } : { kty, crv, x, y };
  return crypto.subtle.importKey('jwk', key as JsonWebKey, ALGORITHMS[algorithm], false, ['verify']);
}

/** Whether the key signed the data (RFC 7518 §3.3 and §3.4). */
export function verifySignature(key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean> {
  const { name } = key.algorithm;
  return crypto.subtle.verify({ name, hash: 'SHA-256' }, key, signature, data);
}
