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

/** Five an hour on average. After others have used them up, a user waits twelve minutes; with five in any hour it would be a whole hour. */
const ofUser = ({ perSourceAndHour }: LimitFacts): Allowance => {
  const most = Math.max(USER_MESSAGES_PER_HOUR, perSourceAndHour);
  return createBucketAllowance({ most, everyMs: HOUR_MS / most });
};

/** Five, together with the two that a source always has. */
const THREE_PER_HOUR = createBucketAllowance({ most: 3, everyMs: HOUR_MS / 3 });

/** A source's limit affects only the source, so it is exact. */
const ofSource = ({ perSourceAndHour }: LimitFacts): Allowance => createSlidingAllowance(perSourceAndHour, HOUR_MS);

/** The purpose of a message. Each purpose has its own allowance. */
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

/** A requested message. */
export interface SendLimitRequest {
  readonly pool: PoolRecord;
  readonly purpose: SendPurpose;
  /** The username, or the decoy of an unknown name. Both have the same limits. */
  readonly username: string;
  readonly destination: string;
  /** True if nothing is sent and the destination may be invented. Such a message does not count against the daily budget. */
  readonly isDecoy?: boolean | undefined;
  /** True if the name's owner gets a notice instead of the code. In that case, a decoy counts against the daily budget as well. */
  readonly notifiesOwner?: boolean | undefined;
  /** Whether the user has verified the destination. If so, it belongs to no other user who could request messages to it. */
  readonly isProven?: boolean | undefined;
  /** The key of the user's trusted device that the request named. No one else knows it. */
  readonly deviceKey?: string | undefined;
  /** Whether the caller sent the session of an earlier message for this user and purpose. */
  readonly isResend?: boolean | undefined;
  readonly nowMs: number;
}

/** The facts that limits use in addition to the message itself. */
interface SendOrigin {
  /** Narrowest first. Empty for calls without an address, and for administrators. */
  readonly networks: readonly SourceNetwork[];
  /** Normalized. A decoy address counts as the one that it represents. */
  readonly recipient: string;
}

/** A message limit: its subject, and its number. */
interface SendLimit {
  readonly name: string;
  /** Undefined if the limit does not apply to a message. */
  readonly subject: (send: SendLimitRequest, origin: SendOrigin) => string | undefined;
  readonly allowance: Allowance | ((facts: LimitFacts) => Allowance);
  /** True if it applies to all pools of the service together. */
  readonly isOfService?: true;
}

/** The facts that determine the number of a limit. */
interface LimitFacts extends Pick<SendOrigin, 'networks'>, Pick<Required<MessageLimits>, 'perSourceAndHour'> {
  readonly smsPerCountryAndDay: number;
  /** How many messages remain today in the parts of the daily budget to which this message belongs. */
  readonly left: number;
}

/** The kinds of requesters. They share no allowances. */
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

/** All users with the same address share its mailbox. A decoy address counts as the one that it represents. */
const PER_RECIPIENT: SendLimit = {
  name: 'recipient',
  subject: ({ purpose }, { recipient }) => `${purpose} ${recipient}`,
  allowance: ofUser,
};

/** The widest network. The holder of a /48 has 65,536 networks and could otherwise use up a user's five messages alone. */
const findWidestNetwork = ({ networks }: SendOrigin): string | undefined => networks.at(-1)?.key;

/** A source can use less than half of a user's allowance, so that the user keeps the rest. */
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

/** Anyone can get a session for any name, so resends have a separate allowance and take nothing from a user's five. */
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

/** A network can use a fiftieth of the remaining daily budget, so its share shrinks as others use more. */
const NETWORK_SHARE = 1 / 50;

/**
 * A network's share of the day, and that of each wider network. Requests for unknown usernames count too, so that the remaining share does
 * not reveal which usernames exist.
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

/** More than a user changes by hand in an hour, but too few to flood a mailbox. */
const PER_OWNER: SendLimit = {
  name: 'notice',
  subject: ({ username }) => username,
  allowance: createWindowAllowance(20, HOUR_MS),
};

/** The range of ten thousand numbers around one. Fraudsters who earn from messages request many, each to another number. */
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

/** The limits for each requester. The requester's own limits come first, so that over-limit requests take nothing from shared ones. */
const LIMITS: Readonly<Record<RequesterKind, readonly SendLimit[]>> = {
  anybody: [PER_SOURCE_AND_USER, PER_SOURCE_AND_RECIPIENT, ...createNetworkLimits('anybody'), PER_USER, PER_RECIPIENT],
  device: [PER_DEVICE],
  resender: [...createNetworkLimits('anybody'), PER_RESENDER_AND_USER, PER_RESENDER_AND_RECIPIENT],
  // These codes are always sent, unless the user exceeds the own limit. Anonymous requests, other users and a full day do not affect them.
  proven_second_factor: [PER_USER],
  // Anyone with an account can enter another person's address or number.
  second_factor: [PER_USER, PER_RECIPIENT, createNumberRangeLimit('second_factor')],
  signed_in: [
    ...createNetworkLimits('signed_in'),
    PER_USER,
    PER_RECIPIENT,
    createNumberRangeLimit('signed_in'),
    createCountryLimit('signed_in'),
  ],
  // An administrator may invite a whole company.
  administrator: [PER_USER, PER_RECIPIENT],
  // A sign-up with a known username was already counted by address.
  signed_up: [PER_USER],
  // Over this limit the notice is not sent, but the change still happens.
  owner: [PER_OWNER],
};

/**
 * The parts of the day to which a message belongs, the wider one first. Second factors and notices belong to none, so a full day never
 * blocks them.
 */
function listDailyBudgetParts(requester: RequesterKind, { purpose }: SendLimitRequest): readonly DailyBudgetPart[] {
  if (requester === 'anybody' || requester === 'resender') {
    return purpose === 'sign_up' ? ['unproven', 'sign_up'] : ['unproven'];
  }
  if (requester === 'signed_in') return ['proven', 'signed_in'];
  return requester === 'administrator' ? ['proven'] : [];
}

/**
 * Limits on phone numbers for anonymous requests. They are separate from the other limits, because a refusal would reveal that a user
 * exists and in which country.
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
  deletion_scheduled: 'owner',
  codes_guessed: 'owner',
};

/**
 * Takes one message from the allowances of a user and address. Call it in the same write as `enqueueMessage`, so that parallel requests get
 * no more than sequential ones. A refused request takes nothing from others.
 *
 * A decoy takes as much as a real message. Its purpose is one that this user never uses, so the user loses nothing.
 *
 * A resend that exceeds the source's limit takes from the allowance of resends.
 * @returns the error to return; undefined if the message may be sent
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
 * Whether anonymous requests caused too many messages to similar numbers. The message is then discarded, with the response of a sent one.
 * Call it after {@link consumeSendAllowance}, in the same write.
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

/** Takes one of each, or none. Returns the time until all are available. */
async function consumeAllowances(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  send: SendLimitRequest,
  { limits, parts }: { readonly limits: readonly SendLimit[]; readonly parts: readonly DailyBudgetPart[] },
): Promise<number> {
  const { pool, destination, nowMs } = send;
  // Always computed, so that timing does not reveal invented addresses.
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

/** An anonymous caller cannot know the key of a user's trusted device. */
function determineRequester({ purpose, deviceKey, isProven }: SendLimitRequest): RequesterKind {
  const asker = REQUESTERS[purpose];
  if (asker === 'second_factor' && isProven) return 'proven_second_factor';
  return asker === 'anybody' && deviceKey !== undefined ? 'device' : asker;
}

/** Digests, because the store should not contain what users typed. */
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

/** Callers that act for many users from one server, whose network is therefore not a source. */
const MANY_USERS: ReadonlySet<Actor['kind']> = new Set(['admin', 'operator', 'system']);

function listCallNetworks({ call }: CallPort): readonly SourceNetwork[] {
  return call.actor !== undefined && MANY_USERS.has(call.actor.kind) ? [] : listSourceNetworks(call.sourceAddress);
}

function tooManyMessagesError(waitMs: number): ProviderError {
  return new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
