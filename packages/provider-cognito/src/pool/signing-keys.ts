import { ProviderError, type PublicKey, type RsaPublicKey } from '@poolgate/provider';
import type { ResolvedOptions } from '../options/cognito-options.ts';
import { runWithTimeout } from '../upstream/timeout.ts';

/** The public keys of the pool. */
export interface SigningKeys {
  /**
   * Asks for the keys, once however many wait. Whoever calls does so seldom: when its own copy is old, and once for a key id
   * that it does not know.
   * @throws {ProviderError} where they never could be had
   */
  read(): Promise<readonly PublicKey[]>;
}

/** So long after an answer, or the lack of one, the last keys are given without asking. */
const MIN_REFETCH_INTERVAL_MS = { answered: 1_000, failed: 5_000 } as const;
const MAX_BODY_BYTES = 65_536;

/** Reads the keys from where the pool publishes them, and keeps the last ones for when that cannot be reached. */
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

/** The usable keys of a key set (RFC 7517 §5). Others are passed over, as it says; a set without any is none. */
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

/** RS256 asks for 2048 bits (RFC 7518 §3.3), and a verifier that is given fewer takes it for a defect. */
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
