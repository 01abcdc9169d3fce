import type { KeyObject } from 'node:crypto';
import type { CallContext } from '@poolgate/provider';
import type { PoolContext } from './context.ts';
import type { ServedPlace } from './domain/served.ts';
import { Delivery } from './messages/delivery.ts';
import { Recent } from './recent.ts';
import type { ClientRecord, PoolRecord, SigningKeyRecord } from './store/records.ts';
import type { Signer } from './tokens/jwt.ts';

/** How long a replica may not have seen a change that another one made to settings or keys. */
const STALE_MS = 3_000;

const OPENED_MS = 600_000;
const ROWS = 1_000;

/** The context as the rooms of the pool see it: what the pool was given, and what belongs to this instance. */
export interface PoolRuntime extends PoolContext {
  /** The call that is being served; the system itself where none is. */
  readonly call: CallContext;
  readonly delivery: Delivery;
  /** What this instance serves. */
  readonly served: ServedPlace;
  readonly recent: {
    readonly pools: Recent<PoolRecord>;
    readonly clients: Recent<ClientRecord>;
    readonly signingKeys: Recent<readonly SigningKeyRecord[]>;
    /** Opened secrets by their sealed text, which never changes its meaning. */
    readonly secrets: Recent<Uint8Array<ArrayBuffer>>;
    /** Parsed keys by key id; key ids are never used again. */
    readonly signers: Recent<Signer>;
    readonly publicKeys: Recent<KeyObject>;
  };
}

const NO_CALL: CallContext = {
  requestId: 'system',
  sourceAddress: '',
  actor: { kind: 'system', id: null },
};

/** The runtime for the time of one call: events tell who asked, and from where. */
export function duringCall(runtime: PoolRuntime, call: CallContext): PoolRuntime {
  return { ...runtime, call };
}

/** Gives a context its memory and its delivery of messages. Once for each instance of the pool, so that two instances share nothing. */
export function runtimeOf(context: PoolContext): PoolRuntime {
  const { clock } = context;
  return {
    ...context,
    call: NO_CALL,
    delivery: new Delivery(context),
    served: { now: undefined },
    recent: {
      pools: new Recent(clock, STALE_MS, ROWS),
      clients: new Recent(clock, STALE_MS, ROWS),
      signingKeys: new Recent(clock, STALE_MS, ROWS),
      secrets: new Recent(clock, OPENED_MS, ROWS),
      signers: new Recent(clock, OPENED_MS, ROWS),
      publicKeys: new Recent(clock, OPENED_MS, ROWS),
    },
  };
}
