/** The proofs of a user, with a folder for each kind. This folder itself lists the factors with which a user can start a login. */
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

/** A first factor by its name in the Cognito-compatible API. */
export type FirstFactorChoice = 'EMAIL_OTP' | 'PASSWORD' | 'PASSWORD_SRP' | 'SMS_OTP' | 'WEB_AUTHN';

/** A user's factors outside of the user record, as far as first factors depend on them. */
export interface EnrolledFactors {
  readonly hasActiveTotp: boolean;
  readonly hasPasskeys: boolean;
}

/** A factor that can start a choice-based login. */
interface FirstFactorRow {
  /** Its names in the Cognito-compatible API. */
  readonly choices: readonly FirstFactorChoice[];
  /** Whether the pool's other settings permit it as well. */
  readonly isOffered?: (settings: PoolSettings) => boolean;
  readonly isEnrolled: (found: UserWithCredential, enrolled: Pick<EnrolledFactors, 'hasPasskeys'>) => boolean;
  /** Whether it would prove a user who has it. */
  readonly isUsable: (pool: PoolRecord, user: UserRecord, enrolled: EnrolledFactors) => boolean;
  /** Whether the pool's settings permit it for decoys. */
  readonly isDecoyUsable?: (settings: PoolSettings) => boolean;
  /** Set if it sends a message. */
  readonly channel?: Channel;
}

/**
 * A code is not available to users who need a second factor, because the reader of the message would have both. A temporary password can be
 * changed only by someone who knows it. If the user has a verified contact, an unverified one cannot be used, because another person may
 * have entered it.
 */
function createCodeUsabilityCheck(attribute: Contact['attribute']): FirstFactorRow['isUsable'] {
  return ({ settings }, user, { hasActiveTotp }) =>
    determineSecondFactors(settings, user, hasActiveTotp).kind === 'none' &&
    user.status !== 'FORCE_CHANGE_PASSWORD' &&
    (isVerifiedContact(user.attributes, attribute) || !hasVerifiedContact(user.attributes));
}

/** If every user needs a second factor, no login can start with a code. */
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

/** A passkey that never counts as both factors is useless if two are required (Cognito `FactorConfiguration`). */
function isPasskeyUsableWithMfa({ webAuthn, mfaConfiguration }: PoolSettings): boolean {
  return webAuthn !== null && (mfaConfiguration !== 'ON' || webAuthn.factorConfiguration !== 'SINGLE_FACTOR');
}

/** In Cognito's order. */
const COGNITO_ORDER: readonly FirstFactor[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'];

/** Whether a code over this channel is enough for a user without a password to log in. */
export function canLoginByCode(settings: PoolSettings, channel: Channel): boolean {
  return settings.mfaConfiguration !== 'ON' && listOfferedFactors(settings).some(([, row]) => row.channel === channel);
}

type NamedFactor = readonly [factor: FirstFactor, row: FirstFactorRow];

/** The factors with which a login to this pool can start. */
function listOfferedFactors(settings: PoolSettings): readonly NamedFactor[] {
  return COGNITO_ORDER.flatMap((factor): readonly NamedFactor[] => {
    const row = FIRST_FACTOR_ROWS[factor];
    const isOffered = settings.firstFactors.includes(factor) && (row.isOffered?.(settings) ?? true);
    return isOffered ? [[factor, row]] : [];
  });
}

/** The same for any user: a code is included if it can be sent and is enough to log in. */
export function listFirstFactors(settings: PoolSettings, senders: Senders): readonly FirstFactor[] {
  return listOfferedFactors(settings).flatMap(([factor, { channel }]) =>
    channel === undefined || (senders[channel] !== undefined && canLoginByCode(settings, channel)) ? [factor] : [],
  );
}

/** The pool's first factors that the user has, whether or not a login can currently start with them. */
export function listEnrolledFirstFactors(
  settings: PoolSettings,
  found: UserWithCredential,
  enrolled: Pick<EnrolledFactors, 'hasPasskeys'>,
): readonly FirstFactor[] {
  return listOfferedFactors(settings).flatMap(([factor, { isEnrolled }]) =>
    isEnrolled(found, enrolled) ? [factor] : [],
  );
}

/** Returns the factor of a name if a login to this pool can start with it, for any user. */
export function findFirstFactorChoice(settings: PoolSettings, name: string): FirstFactorChoice | undefined {
  return listOfferedChoices(settings).find((choice) => choice === name);
}

/**
 * Like {@link findFirstFactorChoice}.
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

/** Whether a factor would currently prove this user. */
export function canUseFirstFactor(
  pool: PoolRecord,
  found: UserWithCredential,
  factor: FirstFactor,
  enrolled: EnrolledFactors,
): boolean {
  const { isEnrolled, isUsable } = FIRST_FACTOR_ROWS[factor];
  return isEnrolled(found, enrolled) && isUsable(pool, found.user, enrolled);
}

/** The pool's first factors that would currently prove a user, whether or not they can be sent. */
export function listUsableFirstFactors(
  pool: PoolRecord,
  found: UserWithCredential,
  enrolled: EnrolledFactors,
): readonly FirstFactor[] {
  return listOfferedFactors(pool.settings).flatMap(([factor]) =>
    canUseFirstFactor(pool, found, factor, enrolled) ? [factor] : [],
  );
}

/** The user whose choices are requested. */
export interface FirstFactorChooser {
  readonly ports: MacPorts & ClockPort & SendersPort;
  readonly pool: PoolRecord;
  readonly candidate: LoginCandidate;
}

/**
 * The first factors with which a user can log in (Cognito `AvailableChallenges`). An unknown name gets a set that users of this pool could
 * have, always the same one.
 */
export function listAvailableChoices(
  chooser: FirstFactorChooser,
  enrolled: EnrolledFactors,
): readonly FirstFactorChoice[] {
  const { ports, pool, candidate } = chooser;
  const { found } = candidate;
  // Always computed, so that timing reveals nothing.
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
