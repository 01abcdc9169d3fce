import type { Channel } from '../context.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { FirstFactor, PoolSettings } from '../settings.ts';
import type { PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import type { Contact } from './contacts.ts';
import { inventedFactors } from './invented-factors.ts';
import type { Candidate } from './masking.ts';
import { secondFactors } from './mfa-settings.ts';
import { canBegin } from './passkeys.ts';
import { hasProvenContact, isProvenContact } from './proven-contact.ts';
import { factorNotOffered } from './refusals.ts';

/** A first factor as it is chosen on the wire. */
export type ChoiceName = 'EMAIL_OTP' | 'PASSWORD' | 'PASSWORD_SRP' | 'SMS_OTP' | 'WEB_AUTHN';

/** What a user has that is not in its own records, as far as first factors depend on it. */
export interface Having {
  readonly hasActiveTotp: boolean;
  readonly hasPasskeys: boolean;
}

/** What a choice-based login can begin with. */
interface FirstFactorRow {
  /** The names by which it is chosen on the wire. */
  readonly choices: readonly ChoiceName[];
  /** Where the pool's settings can stand against it although they allow it. */
  readonly isOffered?: (settings: PoolSettings) => boolean;
  readonly isHeld: (found: UserWithCredential, having: Pick<Having, 'hasPasskeys'>) => boolean;
  /** Whether it would prove a user who has it. */
  readonly isGood: (pool: PoolRecord, user: UserRecord, having: Having) => boolean;
  /** Where the pool's settings keep it from being invented. */
  readonly isInvented?: (settings: PoolSettings) => boolean;
  /** Set where it goes with a message. */
  readonly channel?: Channel;
}

/**
 * A code is not for users who owe a second factor: who reads the message would have both. A temporary password is changed only by who
 * knows it. And a contact that nobody has proven lets nobody in beside one that is: somebody else may have written it there.
 */
function isGoodCode(attribute: Contact['attribute']): FirstFactorRow['isGood'] {
  return ({ settings }, user, { hasActiveTotp }) =>
    secondFactors(settings, user, hasActiveTotp).kind === 'none' &&
    user.status !== 'FORCE_CHANGE_PASSWORD' &&
    (isProvenContact(user.attributes, attribute) || !hasProvenContact(user.attributes));
}

/** Where everybody owes a second factor, nobody begins with a code. */
function isInventedCode({ mfaConfiguration }: PoolSettings): boolean {
  return mfaConfiguration !== 'ON';
}

const ROWS: Readonly<Record<FirstFactor, FirstFactorRow>> = {
  PASSWORD: {
    choices: ['PASSWORD_SRP', 'PASSWORD'],
    isHeld: ({ credential }) => credential !== undefined,
    isGood: () => true,
  },
  EMAIL_OTP: {
    choices: ['EMAIL_OTP'],
    isHeld: ({ user }) => Boolean(user.attributes.email),
    isGood: isGoodCode('email'),
    isInvented: isInventedCode,
    channel: 'email',
  },
  SMS_OTP: {
    choices: ['SMS_OTP'],
    isHeld: ({ user }) => Boolean(user.attributes.phone_number),
    isGood: isGoodCode('phone_number'),
    isInvented: isInventedCode,
    channel: 'sms',
  },
  WEB_AUTHN: {
    choices: ['WEB_AUTHN'],
    isOffered: canStandBesideMfa,
    isHeld: (_, { hasPasskeys }) => hasPasskeys,
    isGood: (_, user) => canBegin(user),
  },
};

/** A passkey that never counts for two factors is of no use where two are required (Cognito `FactorConfiguration`). */
function canStandBesideMfa({ webAuthn, mfaConfiguration }: PoolSettings): boolean {
  return webAuthn !== null && (mfaConfiguration !== 'ON' || webAuthn.factorConfiguration !== 'SINGLE_FACTOR');
}

/** In the order in which Cognito lists them. */
const ORDER: readonly FirstFactor[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'];

/** Whether a code over this channel is all that a user without a password needs to log in. */
export function canLoginByCode(settings: PoolSettings, channel: Channel): boolean {
  return settings.mfaConfiguration !== 'ON' && offered(settings).some(([, row]) => row.channel === channel);
}

type Named = readonly [factor: FirstFactor, row: FirstFactorRow];

/** What a login on this pool can begin with. */
function offered(settings: PoolSettings): readonly Named[] {
  return ORDER.flatMap((factor): readonly Named[] => {
    const row = ROWS[factor];
    const isOffered = settings.firstFactors.includes(factor) && (row.isOffered?.(settings) ?? true);
    return isOffered ? [[factor, row]] : [];
  });
}

/** What the user has of the pool's first factors, whether or not a login may begin with it now. */
export function heldFactors(
  settings: PoolSettings,
  found: UserWithCredential,
  having: Pick<Having, 'hasPasskeys'>,
): readonly FirstFactor[] {
  return offered(settings).flatMap(([factor, { isHeld }]) => (isHeld(found, having) ? [factor] : []));
}

/** The choice of a name, where a login on this pool can begin with it, whoever logs in. */
export function choiceNamed(settings: PoolSettings, name: string): ChoiceName | undefined {
  return choicesOf(settings).find((choice) => choice === name);
}

/**
 * As {@link choiceNamed}.
 * @throws {ProviderError} `InvalidParameterException`: this pool does not offer it
 */
export function requireChoice(settings: PoolSettings, name: string): ChoiceName {
  const choice = choiceNamed(settings, name);
  if (choice === undefined) throw factorNotOffered(choicesOf(settings));
  return choice;
}

function choicesOf(settings: PoolSettings): readonly ChoiceName[] {
  return offered(settings).flatMap(([, { choices }]) => choices);
}

/** Whether a factor would prove this user now. */
export function canProve(pool: PoolRecord, found: UserWithCredential, factor: FirstFactor, having: Having): boolean {
  const { isHeld, isGood } = ROWS[factor];
  return isHeld(found, having) && isGood(pool, found.user, having);
}

/** What of the pool's first factors would prove a user now, whether or not it can be sent. */
export function heldToBeginWith(pool: PoolRecord, found: UserWithCredential, having: Having): readonly FirstFactor[] {
  return offered(pool.settings).flatMap(([factor]) => (canProve(pool, found, factor, having) ? [factor] : []));
}

/** Whose choices are asked for. */
export interface Chooser {
  readonly context: PoolRuntime;
  readonly pool: PoolRecord;
  readonly candidate: Candidate;
}

/**
 * The first factors that a user can log in with (Cognito `AvailableChallenges`). For a name that nobody has it is a set
 * that users of this pool could have, the same one each time.
 */
export function availableChoices(chooser: Chooser, having: Having): readonly ChoiceName[] {
  const { context, pool, candidate } = chooser;
  const { found } = candidate;
  // Looked up in any case, so that time tells nothing.
  const invented = inventedFactors(context, pool, candidate.userId);
  const isInvented = (factor: FirstFactor, row: FirstFactorRow) =>
    invented.has(factor) && (row.isInvented?.(pool.settings) ?? true);
  return offered(pool.settings)
    .filter(([, { channel }]) => channel === undefined || context.senders[channel] !== undefined)
    .filter(([factor, row]) => (found === undefined ? isInvented(factor, row) : canProve(pool, found, factor, having)))
    .flatMap(([, { choices }]) => choices);
}
