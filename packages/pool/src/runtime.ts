import type { KeyObject } from 'node:crypto';
import type { CallContext } from '@poolgate/provider';
import { computeHere } from '@poolgate/srp';
import type { Clock, Computations, PoolContext } from './context.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { MessageDelivery } from './messages/delivery.ts';
import { sourceNetworks } from './messages/source-network.ts';
import type { ServedPoolHolder } from './pools/served-pool.ts';
import type {
  ClientRecord,
  CredentialRecord,
  DomainRecord,
  PoolRecord,
  ResourceServerRecord,
  SigningKeyRecord,
} from './store/records.ts';
import type { Signer } from './tokens/jwt.ts';
import { signTexts } from './tokens/sign-texts.ts';
import type { VerifiedToken } from './tokens/verified-token.ts';
import { type CallLimiters, TRIGGER_TIME_PER_REQUEST_MS } from './triggers/call-limiter.ts';
import type { TriggerCaller } from './triggers/call-trigger.ts';
import type { ClientInput } from './triggers/invoker.ts';

/** How long a replica may not have seen a change that another one made to settings or keys. */
const SETTINGS_CACHE_MS = 3_000;

const SECRETS_CACHE_MS = 600_000;
const CACHE_CAPACITY = 1_000;
/** Some megabytes. */
const VERIFIED_TOKENS = 4_096;

/** The context as the modules of the pool see it: what the pool was given, and what belongs to this instance. */
export interface PoolRuntime extends PoolContext {
  /** The call that is being served; the system itself where none is. */
  readonly call: CallContext;
  readonly delivery: MessageDelivery;
  /** Whether this call queued messages that nobody has started to deliver yet. */
  readonly undelivered: { isAny: boolean };
  readonly computations: Computations;
  /** What the request says of itself that triggers are told, whatever it is about. */
  readonly asked: ClientInput;
  /** Until then the call waits for triggers. */
  readonly triggersUntilMs: number;
  readonly callLimiters: CallLimiters;
  /** Who causes calls of triggers. */
  readonly triggerCaller: TriggerCaller;
  /** What this instance serves. */
  readonly servedPool: ServedPoolHolder;
  readonly caches: {
    readonly pools: ExpiringCache<PoolRecord>;
    readonly clients: ExpiringCache<ClientRecord>;
    /** By pool id. */
    readonly domains: ExpiringCache<readonly DomainRecord[]>;
    /** By pool id and identifier, with a slash between. */
    readonly resourceServers: ExpiringCache<ResourceServerRecord>;
    readonly signingKeys: ExpiringCache<readonly SigningKeyRecord[]>;
    /** Opened secrets by their encrypted text, which never changes its meaning. */
    readonly secrets: ExpiringCache<Uint8Array<ArrayBuffer>>;
    /** Parsed keys by key id; key ids are never used again. */
    readonly signers: ExpiringCache<Signer>;
    readonly publicKeys: ExpiringCache<KeyObject>;
    /** By the digest of the token. Whether its key is still published, its time is right and its login goes on is not said by it. */
    readonly verifiedTokens: ExpiringCache<VerifiedToken>;
    /** By pool id: a password that nobody knows, to compare with where there is none. */
    readonly decoyCredentials: Map<string, CredentialRecord>;
  };
}

const NO_CALL: CallContext = {
  requestId: 'system',
  sourceAddress: '',
  actor: { kind: 'system', id: null },
};

/** The runtime for the time of one call: events tell who asked, and from where. */
export function forCall(runtime: PoolRuntime, call: CallContext, asked: ClientInput = {}): PoolRuntime {
  const triggerCaller = { network: siteNetwork(call.sourceAddress), isProven: call.actor?.kind === 'admin' };
  const triggersUntilMs = runtime.clock.now() + TRIGGER_TIME_PER_REQUEST_MS;
  return { ...runtime, call, asked, triggerCaller, triggersUntilMs, undelivered: { isAny: false } };
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 address: one customer of a provider often has all of a /48. */
function siteNetwork(address: string): string {
  return sourceNetworks(address).at(-1)?.key ?? '';
}

/** Gives a context its memory and its delivery of messages. Once for each instance of the pool, so that two instances share nothing. */
export function createRuntime(context: PoolContext): PoolRuntime {
  const { clock } = context;
  const calling = {
    callLimiters: new Map(),
    triggersUntilMs: Number.POSITIVE_INFINITY,
    triggerCaller: { network: '', isProven: false },
  };
  return {
    ...context,
    ...calling,
    asked: {},
    computations: context.computations ?? { srp: computeHere(context.engine), signTexts },
    call: NO_CALL,
    undelivered: { isAny: false },
    delivery: new MessageDelivery({ ...context, ...calling }),
    servedPool: { current: undefined },
    caches: createCaches(clock),
  };
}

/** Empty caches. */
export function createCaches(clock: Clock): PoolRuntime['caches'] {
  return {
    pools: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    clients: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    domains: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    resourceServers: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    signingKeys: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    secrets: new ExpiringCache(clock, SECRETS_CACHE_MS, CACHE_CAPACITY),
    signers: new ExpiringCache(clock, SECRETS_CACHE_MS, CACHE_CAPACITY),
    publicKeys: new ExpiringCache(clock, SECRETS_CACHE_MS, CACHE_CAPACITY),
    verifiedTokens: new ExpiringCache(clock, SECRETS_CACHE_MS, VERIFIED_TOKENS),
    decoyCredentials: new Map(),
  };
}
