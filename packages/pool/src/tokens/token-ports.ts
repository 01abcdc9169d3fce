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

/** Signing keys, both stored and parsed. */
export interface KeyCache {
  /** By pool id. */
  readonly signingKeys: ExpiringCache<readonly SigningKeyRecord[]>;
  /** Parsed keys by key id. Key ids are never reused. */
  readonly signers: ExpiringCache<JwtSigner>;
  readonly publicKeys: ExpiringCache<KeyObject>;
}

/** Creates an empty cache of keys. */
export function createKeyCache(clock: Clock): KeyCache {
  return {
    signingKeys: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    signers: new ExpiringCache(clock, PARSED_KEYS_MS, CACHE_CAPACITY),
    publicKeys: new ExpiringCache(clock, PARSED_KEYS_MS, CACHE_CAPACITY),
  };
}

/** Tokens with a verified signature, by digest. */
export type VerifiedTokenCache = ExpiringCache<VerifiedToken>;

/** Creates an empty cache of verified tokens. */
export function createVerifiedTokenCache(clock: Clock): VerifiedTokenCache {
  return new ExpiringCache(clock, PARSED_KEYS_MS, VERIFIED_TOKENS);
}

/** Cached signing keys. */
export interface KeyCachePort {
  readonly keyCache: KeyCache;
}

/** The dependencies of reading a pool's published keys. */
export interface PublishedKeyPorts extends ClockPort, KeyCachePort, StoreReads<'signingKeys'> {}

/** RSA signatures, which other threads may compute. */
export interface SignTextsPort {
  readonly signTexts: SignTexts;
}

/** The dependencies of signing with a pool's current keys. */
export interface SigningPorts extends KeyCachePort, KeyRingPort, SignTextsPort, StoreReads<'signingKeys'> {}

/** The dependencies of verifying an access token's signature. */
export interface TokenSignaturePorts extends ClockPort, KeyCachePort, SettingsCachePort {
  /** Each use still checks whether the token's key is published and its login active. */
  readonly verifiedTokens: VerifiedTokenCache;
  readonly store: Pick<PoolReads, 'clients' | 'pools' | 'signingKeys'>;
}

/** The dependencies of verifying an access token: its signature, and whether its login is still active. */
export interface AccessTokenPorts extends CallPort, TokenSignaturePorts {
  readonly store: Pick<PoolReads, 'accessTokens' | 'clients' | 'pools' | 'signingKeys'>;
  /** The tokens that guards checked for later operations. */
  readonly checkedTokens: CheckedTokens;
  /** The token that a guard checked for this operation. */
  readonly checkedToken: CheckedTokenHolder | undefined;
}

/** The hook that adds claims to tokens. */
export interface AddClaimsPort {
  readonly addClaims?: AddClaimsHook;
}

/** The dependencies of a login's tokens: claims from hook and trigger, and signatures. */
export interface TokenPorts extends AddClaimsPort, EventPorts, MacPorts, SigningPorts, TriggerPorts {}
