/**
 * What proves a user: a folder for each kind of proof. This folder itself lists the factors that a user can begin a login with.
 */
import type { SendersPort } from '../delivery/delivery-ports.ts';
import type { Channel, Senders } from '../delivery/sender.ts';
import type { Contact } from '../identity/contacts.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { factorNotOfferedError } from '../identity/login-errors.ts';
import { hasVerifiedContact, isVerifiedContact } from '../identity/verified-contact.ts';
import type { ClockPort, MacPorts } from '../kernel/ports.ts';
import { determineSecondFactors } from '../settings/second-factors.ts';
import type { FirstFactor, PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { deriveDecoyFactors } from './decoy-factors.ts';
import { canLogInByPasskey } from './passkeys/passkey-options.ts';

/** A first factor as it is chosen at the Cognito-compatible API. */
export type FirstFactorChoice = 'EMAIL_OTP' | 'PASSWORD' | 'PASSWORD_SRP' | 'SMS_OTP' | 'WEB_AUTHN';

/** What a user has that is not in its own records, as far as first factors depend on it. */
export interface EnrolledFactors {
  readonly hasActiveTotp: boolean;
  readonly hasPasskeys: boolean;
}

/** What a choice-based login can begin with. */
interface FirstFactorRow {
  /** The names by which it is chosen at the Cognito-compatible API. */
  readonly choices: readonly FirstFactorChoice[];
  /** Where the pool's settings can stand against it although they allow it. */
  readonly isOffered?: (settings: PoolSettings) => boolean;
  readonly isEnrolled: (found: UserWithCredential, enrolled: Pick<EnrolledFactors, 'hasPasskeys'>) => boolean;
  /** Whether it would prove a user who has it. */
  readonly isUsable: (pool: PoolRecord, user: UserRecord, enrolled: EnrolledFactors) => boolean;
  /** Where the pool's settings keep it from being invented. */
  readonly isDecoyUsable?: (settings: PoolSettings) => boolean;
  /** Set where it goes with a message. */
  readonly channel?: Channel;
}

/**
 * A code is not for users who owe a second factor: who reads the message would have both. A temporary password is changed only by who
 * knows it. And a contact that nobody has proven lets nobody in beside one that is: somebody else may have written it there.
 */
function createCodeUsabilityCheck(attribute: Contact['attribute']): FirstFactorRow['isUsable'] {
  return ({ settings }, user, { hasActiveTotp }) =>
    determineSecondFactors(settings, user, hasActiveTotp).kind === 'none' &&
    user.status !== 'FORCE_CHANGE_PASSWORD' &&
    (isVerifiedContact(user.attributes, attribute) || !hasVerifiedContact(user.attributes));
}

/** Where everybody owes a second factor, nobody begins with a code. */
function isDecoyCodeUsable({ mfaConfiguration }: PoolSettings): boolean {
  return mfaConfiguration !== 'ON';
}

const FIRST_FACTOR_ROWS: Readonly<Record<FirstFactor, FirstFactorRow>> = {
  PASSWORD: {
    choices: ['PASSWORD_SRP', 'PASSWORD'],
    isEnrolled: ({ credential }) => credential !== undefined,
    isUsable: () => true,
  },
  EMAIL_OTP: {
    choices: ['EMAIL_OTP'],
    isEnrolled: ({ user }) => Boolean(user.attributes.email),
    isUsable: createCodeUsabilityCheck('email'),
    isDecoyUsable: isDecoyCodeUsable,
    channel: 'email',
  },
  SMS_OTP: {
    choices: ['SMS_OTP'],
    isEnrolled: ({ user }) => Boolean(user.attributes.phone_number),
    isUsable: createCodeUsabilityCheck('phone_number'),
    isDecoyUsable: isDecoyCodeUsable,
    channel: 'sms',
  },
  WEB_AUTHN: {
    choices: ['WEB_AUTHN'],
    isOffered: isPasskeyUsableWithMfa,
    isEnrolled: (_, { hasPasskeys }) => hasPasskeys,
    isUsable: (_, user) => canLogInByPasskey(user),
  },
};

/** A passkey that never counts for two factors is of no use where two are required (Cognito `FactorConfiguration`). */
function isPasskeyUsableWithMfa({ webAuthn, mfaConfiguration }: PoolSettings): boolean {
  return webAuthn !== null && (mfaConfiguration !== 'ON' || webAuthn.factorConfiguration !== 'SINGLE_FACTOR');
}

/** In the order in which Cognito lists them. */
const COGNITO_ORDER: readonly FirstFactor[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'];

/** Whether a code over this channel is all that a user without a password needs to log in. */
export function canLoginByCode(settings: PoolSettings, channel: Channel): boolean {
  return settings.mfaConfiguration !== 'ON' && listOfferedFactors(settings).some(([, row]) => row.channel === channel);
}

type NamedFactor = readonly [factor: FirstFactor, row: FirstFactorRow];

/** What a login on this pool can begin with. */
function listOfferedFactors(settings: PoolSettings): readonly NamedFactor[] {
  return COGNITO_ORDER.flatMap((factor): readonly NamedFactor[] => {
    const row = FIRST_FACTOR_ROWS[factor];
    const isOffered = settings.firstFactors.includes(factor) && (row.isOffered?.(settings) ?? true);
    return isOffered ? [[factor, row]] : [];
  });
}

/** What a login on this pool can begin with, whoever logs in. A code where one can be sent, and where it is all that a user needs. */
export function listFirstFactors(settings: PoolSettings, senders: Senders): readonly FirstFactor[] {
  return listOfferedFactors(settings).flatMap(([factor, { channel }]) =>
    channel === undefined || (senders[channel] !== undefined && canLoginByCode(settings, channel)) ? [factor] : [],
  );
}

/** What the user has of the pool's first factors, whether or not a login may begin with it now. */
export function listEnrolledFirstFactors(
  settings: PoolSettings,
  found: UserWithCredential,
  enrolled: Pick<EnrolledFactors, 'hasPasskeys'>,
): readonly FirstFactor[] {
  return listOfferedFactors(settings).flatMap(([factor, { isEnrolled }]) =>
    isEnrolled(found, enrolled) ? [factor] : [],
  );
}

/** The choice of a name, where a login on this pool can begin with it, whoever logs in. */
export function findFirstFactorChoice(settings: PoolSettings, name: string): FirstFactorChoice | undefined {
  return listOfferedChoices(settings).find((choice) => choice === name);
}

/**
 * As {@link findFirstFactorChoice}.
 * @throws {ProviderError} `InvalidParameterException`: this pool does not offer it
 */
export function requireFirstFactorChoice(settings: PoolSettings, name: string): FirstFactorChoice {
  const choice = findFirstFactorChoice(settings, name);
  if (choice === undefined) throw factorNotOfferedError(listOfferedChoices(settings));
  return choice;
}

function listOfferedChoices(settings: PoolSettings): readonly FirstFactorChoice[] {
  return listOfferedFactors(settings).flatMap(([, { choices }]) => choices);
}

/** Whether a factor would prove this user now. */
export function canUseFirstFactor(
  pool: PoolRecord,
  found: UserWithCredential,
  factor: FirstFactor,
  enrolled: EnrolledFactors,
): boolean {
  const { isEnrolled, isUsable } = FIRST_FACTOR_ROWS[factor];
  return isEnrolled(found, enrolled) && isUsable(pool, found.user, enrolled);
}

/** What of the pool's first factors would prove a user now, whether or not it can be sent. */
export function listUsableFirstFactors(
  pool: PoolRecord,
  found: UserWithCredential,
  enrolled: EnrolledFactors,
): readonly FirstFactor[] {
  return listOfferedFactors(pool.settings).flatMap(([factor]) =>
    canUseFirstFactor(pool, found, factor, enrolled) ? [factor] : [],
  );
}

/** Whose choices are asked for. */
export interface FirstFactorChooser {
  readonly ports: MacPorts & ClockPort & SendersPort;
  readonly pool: PoolRecord;
  readonly candidate: LoginCandidate;
}

/**
 * The first factors that a user can log in with (Cognito `AvailableChallenges`). For a name that nobody has it is a set
 * that users of this pool could have, the same one each time.
 */
export function listAvailableChoices(
  chooser: FirstFactorChooser,
  enrolled: EnrolledFactors,
): readonly FirstFactorChoice[] {
  const { ports, pool, candidate } = chooser;
  const { found } = candidate;
  // Looked up in any case, so that time tells nothing.
  const invented = deriveDecoyFactors(ports, pool, candidate.userId);
  const isInvented = (factor: FirstFactor, row: FirstFactorRow) =>
    invented.has(factor) && (row.isDecoyUsable?.(pool.settings) ?? true);
  return listOfferedFactors(pool.settings)
    .filter(([, { channel }]) => channel === undefined || ports.senders[channel] !== undefined)
    .filter(([factor, row]) =>
      found === undefined ? isInvented(factor, row) : canUseFirstFactor(pool, found, factor, enrolled),
    )
    .flatMap(([, { choices }]) => choices);
}
