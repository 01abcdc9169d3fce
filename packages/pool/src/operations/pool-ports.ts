import type { CallContext } from '@poolgate/provider';
import { createSyncComputations } from '@poolgate/srp';
import { MessageDelivery } from '../delivery/message-delivery.ts';
import { ExpiringCache } from '../kernel/expiring-cache.ts';
import { createSecretCache } from '../kernel/secret-cache.ts';
import { listSourceNetworks } from '../kernel/source-network.ts';
import type { LoginPorts } from '../login/challenges/login-ports.ts';
import type { AssertionPorts } from '../oauth/client-assertions.ts';
import { createClientKeyCache } from '../oauth/client-keys.ts';
import { addMailPages } from '../settings/mail-pages.ts';
import { createSettingsCache, type ServedPoolPort, type SettingsCachePort } from '../settings/settings-ports.ts';
import { CheckedTokens } from '../tokens/checked-tokens.ts';
import { signTexts } from '../tokens/sign-texts.ts';
import { type AccessTokenPorts, createKeyCache, createVerifiedTokenCache } from '../tokens/token-ports.ts';
import { TRIGGER_TIME_PER_REQUEST_MS } from '../triggers/trigger-call-limiter.ts';
import type { TriggerInput } from '../triggers/trigger-invoker.ts';
import type { PoolOptions } from './pool-options.ts';

/** All ports of a pool instance for one call: its options, and its in-memory state. */
export interface PoolPorts
  extends Omit<PoolOptions, 'computations'>,
    AccessTokenPorts,
    Omit<AssertionPorts, 'store'>,
    LoginPorts,
    ServedPoolPort,
    SettingsCachePort {
  readonly store: PoolOptions['store'];
  readonly delivery: MessageDelivery;
}

const NO_CALL: CallContext = {
  requestId: 'system',
  sourceAddress: '',
  actor: { kind: 'system', id: null },
};

/** Creates the ports for one call. Events record its caller and address. */
export function createCallPorts(ports: PoolPorts, call: CallContext, triggerInput: TriggerInput = {}): PoolPorts {
  const caller = { network: toSiteNetwork(call.sourceAddress), isProven: call.actor?.kind === 'admin' };
  const triggersUntilMs = ports.clock.now() + TRIGGER_TIME_PER_REQUEST_MS;
  const checkedToken = ports.checkedTokens.takeHolder(call);
  return { ...ports, call, triggerInput, caller, triggersUntilMs, undelivered: { isAny: false }, checkedToken };
}

/** Empties the caches of an instance, after the content of its store was replaced. */
export function clearCaches({
  settingsCache,
  keyCache,
  verifiedTokens,
  secretCache,
  decoyCredentials,
}: PoolPorts): void {
  for (const cache of [...Object.values(settingsCache), ...Object.values(keyCache), verifiedTokens, secretCache]) {
    if (cache instanceof ExpiringCache) cache.clear();
  }
  decoyCredentials.clear();
}

/** The /24 of an IPv4 address or the /48 of an IPv6 address, because one customer often has a whole /48. */
function toSiteNetwork(address: string): string {
  return listSourceNetworks(address).at(-1)?.key ?? '';
}

/** Creates the ports of an instance, with empty caches and its own message delivery. Two instances share nothing. */
export function createPoolPorts({ computations, ...options }: PoolOptions): PoolPorts {
  const { clock } = options;
  const calling = {
    callLimiters: new Map(),
    triggersUntilMs: Number.POSITIVE_INFINITY,
    caller: { network: '', isProven: false },
  };
  const servedPool: PoolPorts['servedPool'] = { current: undefined };
  const settingsCache = createSettingsCache(clock, (pool) =>
    addMailPages({ store: options.store, servedPool, settingsCache }, pool),
  );
  return {
    ...options,
    ...calling,
    srp: computations?.srp ?? createSyncComputations(options.engine),
    signTexts: computations?.signTexts ?? signTexts,
    triggerInput: {},
    call: NO_CALL,
    undelivered: { isAny: false },
    delivery: new MessageDelivery({ ...options, ...calling }),
    servedPool,
    settingsCache,
    keyCache: createKeyCache(clock),
    verifiedTokens: createVerifiedTokenCache(clock),
    checkedTokens: new CheckedTokens(),
    acceptedAssertions: new WeakMap(),
    clientKeyCache: createClientKeyCache(clock),
    checkedToken: undefined,
    secretCache: createSecretCache(clock),
    decoyCredentials: new Map(),
  };
}
