import { ProviderError, type PublicKey, type RsaPublicKey } from '@poolgate/provider';
import type { ResolvedOptions } from '../options/cognito-options.ts';
import { runWithTimeout } from '../upstream/timeout.ts';

/** The public keys of the pool. */
export interface SigningKeys {
  /**
   * Reads the keys, with one request for all simultaneous callers. Call it rarely: when a cached copy is old, and once for an unknown key
   * id.
   * @throws {ProviderError} the keys could never be read
   */
  read(): Promise<readonly PublicKey[]>;
}

/** For this long after a response or a failure, the last keys are returned without a request. */
const MIN_REFETCH_INTERVAL_MS = { answered: 1_000, failed: 5_000 } as const;
const MAX_BODY_BYTES = 65_536;

/** Reads the keys that the pool publishes, and keeps the last ones for outages. */
export function createSigningKeys(options: ResolvedOptions): SigningKeys {
  const { clock } = options;
  let keys: readonly PublicKey[] | undefined;
  let restsFromMs = Number.NEGATIVE_INFINITY;
  let restMs = 0;
  let pending: Promise<readonly PublicKey[]> | undefined;

  async function ask(): Promise<readonly PublicKey[]> {
    try {
      keys = await fetchKeys(options);
      restMs = MIN_REFETCH_INTERVAL_MS.answered;
      return keys;
    } catch (cause) {
      restMs = MIN_REFETCH_INTERVAL_MS.failed;
      if (keys !== undefined) return keys;
      throw createUnreachableError(cause);
    } finally {
      restsFromMs = clock.now();
      pending = undefined;
    }
  }

  return {
    async read() {
      const restedMs = clock.now() - restsFromMs;
      if (keys !== undefined && restedMs >= 0 && restedMs < restMs) return keys;
      pending ??= ask();
      return pending;
    },
  };
}

function fetchKeys({ jwksUrl, timer, limits }: ResolvedOptions): Promise<readonly PublicKey[]> {
  return runWithTimeout(timer, limits.requestMs, async (signal) => {
    const response = await fetch(jwksUrl, { signal, redirect: 'error', headers: { accept: 'application/json' } });
    if (response.status !== 200) throw new Error(`the keys were answered with status ${response.status}`);
    return parsePublicKeys(JSON.parse(await readShortText(response)));
  });
}

async function readShortText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new Error('the keys are too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** The usable keys of a key set (RFC 7517 §5). Others are skipped, as it requires. A set without any is invalid. */
function parsePublicKeys(keySet: unknown): readonly RsaPublicKey[] {
  const { keys } = (keySet ?? {}) as { keys?: unknown };
  const usable = (Array.isArray(keys) ? keys : []).filter(isPublicKey);
  if (usable.length === 0) throw new Error('the key set holds no usable key');
  return usable.map(({ kid, n, e }) => ({ alg: 'RS256', kty: 'RSA', use: 'sig', kid, e, n }));
}

function isPublicKey(value: unknown): value is RsaPublicKey {
  if (typeof value !== 'object' || value === null) return false;
  const { alg = 'RS256', kty, use = 'sig', kid, e, n } = value as Record<string, unknown>;
  const named = typeof kid === 'string' && kid !== '';
  return (
    named && kty === 'RSA' && alg === 'RS256' && use === 'sig' && hasBits(e, EXPONENT_BITS) && hasBits(n, MODULUS_BITS)
  );
}

/** RS256 requires 2048 bits (RFC 7518 §3.3), and verifiers treat shorter keys as a defect. */
const MODULUS_BITS = { least: 2_048, most: 16_384 };
const EXPONENT_BITS = { least: 2, most: 64 };

function hasBits(value: unknown, { least, most }: { readonly least: number; readonly most: number }): boolean {
  if (typeof value !== 'string' || !/^[\w-]+$/.test(value)) return false;
  const digits = Buffer.from(value, 'base64url').toString('hex').replace(/^0+/, '');
  const bits = digits === '' ? 0 : 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
  return bits >= least && bits <= most;
}

function createUnreachableError(cause: unknown): ProviderError {
  const name = cause instanceof Error ? cause.name : 'unknown';
  return new ProviderError('InternalErrorException', 'The signing keys of the pool cannot be read.', {
    reason: 'provider_unavailable',
    retryAfterSeconds: MIN_REFETCH_INTERVAL_MS.failed / 1_000,
    cause: new Error(`the key set could not be read: ${name}`),
  });
}
