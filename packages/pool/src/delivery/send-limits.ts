import { type Actor, ProviderError } from '@poolgate/provider';
import { computeAddressMark, parseDecoyAddressMark } from '../identity/decoy-ids.ts';
import type { CallPort, EventPorts, MacPorts, Transaction } from '../kernel/ports.ts';
import { listSourceNetworks, type SourceNetwork } from '../kernel/source-network.ts';
import { isPhoneNumber } from '../settings/attribute-schema.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import type { NoticeKind } from '../store/pool-and-client-settings.ts';
import type { CodePurpose, PoolRecord } from '../store/records.ts';
import { parseCallingCode } from './calling-code.ts';
import {
  ALL_POOLS_ID,
  computeMsUntilMidnight,
  consumeDailyBudget,
  countMessagesLeft,
  type DailyBudgetPart,
  readDailyUse,
} from './daily-budget.ts';
import type { MessageLimitsPort, SendLimitPorts } from './delivery-ports.ts';
import { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from './message-limits.ts';
import {
  type Allowance,
  type AllowanceRequest,
  createBucketAllowance,
  createSlidingAllowance,
  createWindowAllowance,
} from './rate-allowances.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const USER_MESSAGES_PER_HOUR = 5;

/** Five an hour over time. What others asked for costs a user twelve minutes, where five in any hour would cost a whole one. */
const ofUser = ({ perSourceAndHour }: LimitFacts): Allowance => {
  const most = Math.max(USER_MESSAGES_PER_HOUR, perSourceAndHour);
  return createBucketAllowance({ most, everyMs: HOUR_MS / most });
};

/** With the two that a source has in any case, five. */
const THREE_PER_HOUR = createBucketAllowance({ most: 3, everyMs: HOUR_MS / 3 });

/** A source waits for itself only, so its share is exact. */
const ofSource = ({ perSourceAndHour }: LimitFacts): Allowance => createSlidingAllowance(perSourceAndHour, HOUR_MS);

/** What a message is for. Each purpose has an allowance of its own, so that none spends another's. */
export type SendPurpose =
  | CodePurpose
  | 'EMAIL_MFA'
  | 'EMAIL_OTP'
  | 'EMAIL_SETUP'
  | 'SMS_MFA'
  | 'SMS_OTP'
  | 'invitation'
  | 'sign_up_refused'
  | 'reset_by_administrator'
  | 'verification_by_administrator'
  | NoticeKind;

/** A message that somebody asked for. */
export interface SendLimitRequest {
  readonly pool: PoolRecord;
  readonly purpose: SendPurpose;
  /** The user's name, or the decoy of an unknown name: both are limited alike. */
  readonly username: string;
  readonly destination: string;
  /** True: nothing goes out, and the destination may be invented. It takes nothing from the day. */
  readonly isDecoy?: boolean | undefined;
  /** True: the owner of the name gets a notice instead of the code, so a decoy takes from the day as well. */
  readonly notifiesOwner?: boolean | undefined;
  /** Whether the user has proven the destination: then it is nobody else's, who could ask for messages to it. */
  readonly isProven?: boolean | undefined;
  /** The device that the user trusts and the request named: nobody else knows its key. */
  readonly deviceKey?: string | undefined;
  /** Whether the caller showed the session that an earlier message for this user and purpose came with. */
  readonly isResend?: boolean | undefined;
  readonly nowMs: number;
}

/** What the limits count a message by, beside what it is. */
interface SendOrigin {
  /** Narrowest first. None where the call came from no address, or from an administrator. */
  readonly networks: readonly SourceNetwork[];
  /** However it is written; a decoy address counts as the one that it stands for. */
  readonly recipient: string;
}

/** A limit of messages: for whom, and how many. */
interface SendLimit {
  readonly name: string;
  /** Undefined where the limit says nothing about a message. */
  readonly subject: (send: SendLimitRequest, origin: SendOrigin) => string | undefined;
  readonly allowance: Allowance | ((facts: LimitFacts) => Allowance);
  /** True: of all pools of the service together. */
  readonly isOfService?: true;
}

/** What the size of a limit depends on. */
interface LimitFacts extends Pick<SendOrigin, 'networks'>, Pick<Required<MessageLimits>, 'perSourceAndHour'> {
  readonly smsPerCountryAndDay: number;
  /** How many messages are left today in the parts that this one counts in. */
  readonly left: number;
}

/** Who can cause a message. What one of them spends, no other lacks. */
type RequesterKind =
  | 'anybody'
  | 'administrator'
  | 'device'
  | 'owner'
  | 'proven_second_factor'
  | 'resender'
  | 'second_factor'
  | 'signed_in'
  | 'signed_up';

const PER_USER: SendLimit = {
  name: 'user',
  subject: ({ purpose, username }) => `${purpose} ${username}`,
  allowance: ofUser,
};

const PER_DEVICE: SendLimit = {
  name: 'device',
  subject: ({ purpose, username, deviceKey }) => `${purpose} ${username} ${deviceKey}`,
  allowance: ofUser,
};

/** However many users name the same address: it is one mailbox that is flooded. A decoy address counts as the one that it stands for. */
const PER_RECIPIENT: SendLimit = {
  name: 'recipient',
  subject: ({ purpose }, { recipient }) => `${purpose} ${recipient}`,
  allowance: ofUser,
};

/** The widest network: whoever has a /48 has 65,536 networks in it, and would use up the five of a user alone. */
const findWidestNetwork = ({ networks }: SendOrigin): string | undefined => networks.at(-1)?.key;

/** One source spends less than half of a user's, whom that leaves the rest. */
const PER_SOURCE_AND_USER: SendLimit = {
  name: 'source and user',
  subject: ({ purpose, username }, origin) =>
    findWidestNetwork(origin) && `${purpose} ${findWidestNetwork(origin)} ${username}`,
  allowance: ofSource,
};

const PER_SOURCE_AND_RECIPIENT: SendLimit = {
  name: 'source and recipient',
  subject: ({ purpose }, origin) =>
    findWidestNetwork(origin) && `${purpose} ${findWidestNetwork(origin)} ${origin.recipient}`,
  allowance: ofSource,
};

/** Anyone gets a session for any name, so resends have an allowance of their own: they take nothing from a user's five. */
const PER_RESENDER_AND_USER: SendLimit = {
  name: 'resend',
  subject: ({ purpose, username }) => `${purpose} ${username}`,
  allowance: THREE_PER_HOUR,
};

const PER_RESENDER_AND_RECIPIENT: SendLimit = {
  name: 'resend to recipient',
  subject: ({ purpose }, { recipient }) => `${purpose} ${recipient}`,
  allowance: THREE_PER_HOUR,
};

/** One network causes a fiftieth of what is left of a day, so that what many have used leaves less to each of them. */
const NETWORK_SHARE = 1 / 50;

/**
 * The share of the day that a network and each wider one has. Requests for names that nobody has count too: what is left of its own
 * share must not tell a source which of the names exist.
 */
function createNetworkLimits(asker: 'anybody' | 'signed_in'): readonly SendLimit[] {
  return [0, 1, 2].map((width) => ({
    name: `network of ${asker}`,
    subject: (_, { networks }) => networks[width]?.key,
    allowance: ({ left, networks }) => {
      const share = Math.max(1, Math.floor(left * NETWORK_SHARE));
      return createWindowAllowance(share * (networks[width]?.shares ?? 1), DAY_MS);
    },
    isOfService: true,
  }));
}

/** More than a user changes in an hour by hand; fewer than would flood a mailbox. */
const PER_OWNER: SendLimit = {
  name: 'notice',
  subject: ({ username }) => username,
  allowance: createWindowAllowance(20, HOUR_MS),
};

/** The ten thousand numbers around one: who is paid for messages to them asks for many, each to another number. */
function createNumberRangeLimit(asker: RequesterKind | 'decoy'): SendLimit {
  return {
    name: `range of ${asker}`,
    subject: ({ destination }) => (isPhoneNumber(destination) ? destination.replace(/\d{1,4}$/, '') : undefined),
    allowance: createWindowAllowance(200, DAY_MS),
  };
}

function createCountryLimit(asker: RequesterKind | 'decoy'): SendLimit {
  return {
    name: `country of ${asker}`,
    subject: ({ destination }) => (isPhoneNumber(destination) ? parseCallingCode(destination) : undefined),
    allowance: ({ smsPerCountryAndDay }) => createWindowAllowance(smsPerCountryAndDay, DAY_MS),
    isOfService: true,
  };
}

/**
 * For each who can ask. What belongs to the asker comes first: of many requests at once, those that have no more of their own
 * take nothing of what others share.
 */
const LIMITS: Readonly<Record<RequesterKind, readonly SendLimit[]>> = {
  anybody: [PER_SOURCE_AND_USER, PER_SOURCE_AND_RECIPIENT, ...createNetworkLimits('anybody'), PER_USER, PER_RECIPIENT],
  device: [PER_DEVICE],
  resender: [...createNetworkLimits('anybody'), PER_RESENDER_AND_USER, PER_RESENDER_AND_RECIPIENT],
  // Their codes never stop: neither anonymous requests nor a full day keep them back, nor other users.
  proven_second_factor: [PER_USER],
  // Whoever has any account can write somebody else's address or number there.
  second_factor: [PER_USER, PER_RECIPIENT, createNumberRangeLimit('second_factor')],
  signed_in: [
    ...createNetworkLimits('signed_in'),
    PER_USER,
    PER_RECIPIENT,
    createNumberRangeLimit('signed_in'),
    createCountryLimit('signed_in'),
  ],
  // An administrator may have a whole company to invite.
  administrator: [PER_USER, PER_RECIPIENT],
  // Whoever signs up with a known name was counted by the address already.
  signed_up: [PER_USER],
  // Beyond it nothing is sent, and what happened happens all the same.
  owner: [PER_OWNER],
};

/** The parts of the day that a message counts in, the wider one first. Second factors and notices count in none, and are never held back by a full day. */
function listDailyBudgetParts(requester: RequesterKind, { purpose }: SendLimitRequest): readonly DailyBudgetPart[] {
  if (requester === 'anybody' || requester === 'resender') {
    return purpose === 'sign_up' ? ['unproven', 'sign_up'] : ['unproven'];
  }
  if (requester === 'signed_in') return ['proven', 'signed_in'];
  return requester === 'administrator' ? ['proven'] : [];
}

/**
 * The numbers that anonymous requests cause messages to. They are kept apart from the other limits, because a refusal would tell that
 * there is a user, and in which country.
 */
const NUMBER_LIMITS = {
  real: [createNumberRangeLimit('anybody'), createCountryLimit('anybody')],
  decoy: [createNumberRangeLimit('decoy'), createCountryLimit('decoy')],
} as const;

const REQUESTERS: Readonly<Record<SendPurpose, RequesterKind>> = {
  sign_up: 'anybody',
  sign_up_refused: 'anybody',
  forgot_password: 'anybody',
  EMAIL_OTP: 'anybody',
  SMS_OTP: 'anybody',
  EMAIL_MFA: 'second_factor',
  SMS_MFA: 'second_factor',
  EMAIL_SETUP: 'second_factor',
  verify_email: 'signed_in',
  verify_phone_number: 'signed_in',
  invitation: 'administrator',
  reset_by_administrator: 'administrator',
  verification_by_administrator: 'administrator',
  sign_up_known: 'signed_up',
  proofs_removed: 'owner',
  new_device: 'owner',
  password_changed: 'owner',
  factor_changed: 'owner',
  contact_changed: 'owner',
  codes_guessed: 'owner',
};

/**
 * Takes one message from what may be sent to this user and address. In the same write as `enqueueMessage`, so that a hundred
 * requests at a time get no more than one after the other. What is refused takes nothing of others.
 *
 * A stand-in for a message takes as the message would: its purpose is one by which this user gets none, so the user lacks nothing.
 *
 * A resend that a source may not cause anymore takes from the allowance of resends.
 * @returns the refusal to answer with; undefined where the message may be sent
 */
export async function consumeSendAllowance(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  send: SendLimitRequest,
): Promise<ProviderError | undefined> {
  const requester = determineRequester(send);
  let waitMs = await consumeAsRequester(ports, transaction, send, requester);
  if (waitMs > 0 && requester === 'anybody' && send.isResend) {
    waitMs = Math.min(waitMs, await consumeAsRequester(ports, transaction, send, 'resender'));
  }
  return waitMs === 0 ? undefined : tooManyMessagesError(waitMs);
}

function consumeAsRequester(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  send: SendLimitRequest,
  requester: RequesterKind,
): Promise<number> {
  const rules = { limits: LIMITS[requester], parts: listDailyBudgetParts(requester, send) };
  return consumeAllowances(ports, transaction, send, rules);
}

/**
 * Whether anonymous requests caused too many messages to numbers like this one. Then it is discarded, and answered as if it had gone out.
 * Ask it after {@link consumeSendAllowance}, in the same write.
 */
export async function exceedsPhoneNumberLimits(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  send: SendLimitRequest,
): Promise<boolean> {
  if (determineRequester(send) !== 'anybody') return false;
  const limits = NUMBER_LIMITS[send.isDecoy ? 'decoy' : 'real'];
  return (await consumeAllowances(ports, transaction, send, { limits, parts: [] })) > 0;
}

/** Takes one of each, or none. Gives for how long there is none. */
async function consumeAllowances(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  send: SendLimitRequest,
  { limits, parts }: { readonly limits: readonly SendLimit[]; readonly parts: readonly DailyBudgetPart[] },
): Promise<number> {
  const { pool, destination, nowMs } = send;
  // Made in any case, so that time does not tell which address was invented.
  const mark = computeAddressMark(ports, pool, destination);
  const recipient = parseDecoyAddressMark(destination) ?? mark;
  const origin = { networks: listCallNetworks(ports), recipient };
  const left = countMessagesLeft(await readDailyUse(ports, transaction, parts, nowMs));
  const requests = limits.flatMap((limit) => toAllowanceRequests(ports, limit, send, { origin, left }));
  for (const { allowance, request } of requests) {
    const waitMs = await allowance.waitMs(transaction, request);
    if (waitMs > 0) return waitMs;
  }
  if (left <= 0) return computeMsUntilMidnight(nowMs);
  for (const { allowance, request } of requests) {
    const waitMs = await allowance.consume(transaction, request);
    if (waitMs > 0) return waitMs;
  }
  const isSent = send.isDecoy !== true || send.notifiesOwner === true;
  for (const part of parts) {
    const waitMs = await consumeDailyBudget(ports, transaction, part, { pool, isSent, nowMs });
    if (waitMs > 0) return waitMs;
  }
  return 0;
}

/** Nobody anonymous knows the key of a device that a user trusts. */
function determineRequester({ purpose, deviceKey, isProven }: SendLimitRequest): RequesterKind {
  const asker = REQUESTERS[purpose];
  if (asker === 'second_factor' && isProven) return 'proven_second_factor';
  return asker === 'anybody' && deviceKey !== undefined ? 'device' : asker;
}

/** Digests, because the store has no business to keep what anybody typed. */
function toAllowanceRequests(
  ports: MacPorts & MessageLimitsPort,
  { name, subject, allowance, isOfService }: SendLimit,
  send: SendLimitRequest,
  { origin, left }: { readonly origin: SendOrigin; readonly left: number },
): readonly { readonly allowance: Allowance; readonly request: AllowanceRequest }[] {
  const whom = subject(send, origin);
  if (whom === undefined) return [];
  const { smsPerCountryAndDay, perSourceAndHour } = { ...DEFAULT_MESSAGE_LIMITS, ...ports.messageLimits };
  const { networks } = origin;
  return [
    {
      allowance:
        typeof allowance === 'function'
          ? allowance({ smsPerCountryAndDay, perSourceAndHour, left, networks })
          : allowance,
      request: {
        poolId: isOfService ? ALL_POOLS_ID : send.pool.id,
        subject: `send:${name}:${isOfService ? whom : digestLimitSubject(ports, send.pool, `${name}\n${whom}`)}`,
        nowMs: send.nowMs,
      },
    },
  ];
}

function digestLimitSubject(ports: MacPorts, pool: PoolRecord, text: string): string {
  return Buffer.from(computePoolMac(ports, pool, 'send-limit', text)).toString('base64url');
}

/** Who acts for many users from one server: its network is no source. */
const MANY_USERS: ReadonlySet<Actor['kind']> = new Set(['admin', 'operator', 'system']);

function listCallNetworks({ call }: CallPort): readonly SourceNetwork[] {
  return call.actor !== undefined && MANY_USERS.has(call.actor.kind) ? [] : listSourceNetworks(call.sourceAddress);
}

function tooManyMessagesError(waitMs: number): ProviderError {
  return new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
