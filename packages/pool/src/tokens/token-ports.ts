import type { KeyObject } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { CACHE_CAPACITY, ExpiringCache } from '../kernel/expiring-cache.ts';
import type { CallPort, ClockPort, EventPorts, KeyRingPort, MacPorts, StoreReads } from '../kernel/ports.ts';
import { SETTINGS_CACHE_MS, type SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { SigningKeyRecord } from '../store/records.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import type { CheckedTokenHolder, CheckedTokens } from './checked-tokens.ts';
import type { AddClaimsHook } from './claims-hook.ts';
import type { JwtSigner } from './jwt.ts';
import type { SignTexts } from './sign-texts.ts';
import type { VerifiedToken } from './verified-token.ts';

const PARSED_KEYS_MS = 600_000;
/** Some megabytes. */
const VERIFIED_TOKENS = 4_096;

/** Signing keys as they are stored, and parsed. */
export interface KeyCache {
  /** By pool id. */
  readonly signingKeys: ExpiringCache<readonly SigningKeyRecord[]>;
  /** Parsed keys by key id; key ids are never used again. */
  readonly signers: ExpiringCache<JwtSigner>;
  readonly publicKeys: ExpiringCache<KeyObject>;
}

/** An empty cache of keys. */
export function createKeyCache(clock: Clock): KeyCache {
  return {
    signingKeys: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    signers: new ExpiringCache(clock, PARSED_KEYS_MS, CACHE_CAPACITY),
    publicKeys: new ExpiringCache(clock, PARSED_KEYS_MS, CACHE_CAPACITY),
  };
}

/** Tokens whose signatures are known to be right, by their digest. */
export type VerifiedTokenCache = ExpiringCache<VerifiedToken>;

/** An empty cache of verified tokens. */
export function createVerifiedTokenCache(clock: Clock): VerifiedTokenCache {
  return new ExpiringCache(clock, PARSED_KEYS_MS, VERIFIED_TOKENS);
}

/** Signing keys in memory. */
export interface KeyCachePort {
  readonly keyCache: KeyCache;
}

/** What reading the published keys of a pool takes. */
export interface PublishedKeyPorts extends ClockPort, KeyCachePort, StoreReads<'signingKeys'> {}

/** RSA signatures, which other threads may compute. */
export interface SignTextsPort {
  readonly signTexts: SignTexts;
}

/** What signing with the current keys of a pool takes. */
export interface SigningPorts extends KeyCachePort, KeyRingPort, SignTextsPort, StoreReads<'signingKeys'> {}

/** What verifying the signature of an access token takes. */
export interface TokenSignaturePorts extends ClockPort, KeyCachePort, SettingsCachePort {
  /** Whether the key of such a token is still published, and its login still active, is checked at each use. */
  readonly verifiedTokens: VerifiedTokenCache;
  readonly store: Pick<PoolReads, 'clients' | 'pools' | 'signingKeys'>;
}

/** What verifying an access token takes: its signature, and whether its login is still active. */
export interface AccessTokenPorts extends CallPort, TokenSignaturePorts {
  readonly store: Pick<PoolReads, 'accessTokens' | 'clients' | 'pools' | 'signingKeys'>;
  /** Those that guards checked for operations that are still to come. */
  readonly checkedTokens: CheckedTokens;
  /** The one that a guard checked for this operation. */
  readonly checkedToken: CheckedTokenHolder | undefined;
}

/** The hook that adds claims to tokens. */
export interface AddClaimsPort {
  readonly addClaims?: AddClaimsHook;
}

/** What the tokens of a login take: claims from hook and trigger, and signatures. */
export interface TokenPorts extends AddClaimsPort, EventPorts, MacPorts, SigningPorts, TriggerPorts {}
