import { ProviderError } from '@poolgate/provider';
import { isPhoneNumber } from '../domain/attribute-schema.ts';
import { addressMark, markInInvented } from '../domain/invented-ids.ts';
import { poolMac } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';
import { type Allowance, type Claim, slidingAllowance, windowAllowance } from './allowance.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A message that somebody asked for. */
export interface Send {
  readonly pool: PoolRecord;
  /** The user's name, or the invented one of an unknown name: both are limited alike. */
  readonly username: string;
  readonly destination: string;
  readonly nowMs: number;
}

/** For whom messages are limited, and how. */
export interface SendLimit {
  readonly name: string;
  /** Undefined where the limit says nothing about a message. */
  readonly subject: (send: Send, context: PoolRuntime) => string | undefined;
  readonly allowance: Allowance;
}

const PER_USER: SendLimit = {
  name: 'user',
  subject: ({ username }) => username,
  allowance: slidingAllowance(5, HOUR_MS),
};

/** However many users name the same address: it is one mailbox that is flooded. An invented address counts as the one that it stands for. */
const PER_RECIPIENT: SendLimit = {
  name: 'recipient',
  subject: ({ pool, destination }, context) => markInInvented(destination) ?? addressMark(context, pool, destination),
  allowance: slidingAllowance(5, HOUR_MS),
};

/** The ten thousand numbers around one: who is paid for messages to them asks for many, each to another number. */
const PER_NUMBER_RANGE: SendLimit = {
  name: 'range',
  subject: ({ destination }) => (isPhoneNumber(destination) ? destination.slice(0, -4) : undefined),
  allowance: windowAllowance(200, DAY_MS),
};

/** More than a user changes in an hour by hand; fewer than would flood a mailbox. */
const PER_OWNER: SendLimit = {
  name: 'notice',
  subject: ({ username }) => username,
  allowance: windowAllowance(20, HOUR_MS),
};

/** For what the owner of an account is told of; beyond it nothing is sent, and what happened happens all the same. */
export const NOTICE_LIMITS: readonly SendLimit[] = [PER_OWNER];

/** For what anybody can ask for. */
export const SEND_LIMITS: readonly SendLimit[] = [PER_USER, PER_RECIPIENT, PER_NUMBER_RANGE];

/** For what goes to an owner who did not ask, while whoever did was counted by another address. */
export const UNASKED_LIMITS: readonly SendLimit[] = [PER_USER];

/** For what an administrator asks for, who may have a whole company to invite. */
export const INVITATION_LIMITS: readonly SendLimit[] = [PER_USER, PER_RECIPIENT];

/**
 * Takes one message from what may be sent to this user and address. In the same write as `enqueueCode`, so that a hundred
 * requests at a time get no more than one after the other. What is refused takes nothing.
 * @returns the refusal to answer with; undefined where the message may be sent
 */
export async function admitSend(
  context: PoolRuntime,
  transaction: PoolTransaction,
  send: Send,
  limits: readonly SendLimit[] = SEND_LIMITS,
): Promise<ProviderError | undefined> {
  const claims = limits.flatMap((limit) => claimOf(context, limit, send));
  for (const ask of ['waitMs', 'take'] as const) {
    for (const { allowance, claim } of claims) {
      const waitMs = await allowance[ask](transaction, claim);
      if (waitMs > 0) return tooMany(waitMs);
    }
  }
  return undefined;
}

/** Digests, because the store has no business to keep what strangers typed. */
function claimOf(
  context: PoolRuntime,
  { name, subject, allowance }: SendLimit,
  send: Send,
): readonly { readonly allowance: Allowance; readonly claim: Claim }[] {
  const whom = subject(send, context);
  if (whom === undefined) return [];
  const digestB64 = Buffer.from(poolMac(context, send.pool, 'send-limit', `${name}\n${whom}`)).toString('base64url');
  return [{ allowance, claim: { poolId: send.pool.id, subject: `send:${name}:${digestB64}`, nowMs: send.nowMs } }];
}

function tooMany(waitMs: number): ProviderError {
  return new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
