import type { Channel } from '../context.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { FirstFactor, PoolSettings } from '../settings.ts';
import type { PoolRecord, UserWithCredential } from '../store/records.ts';
import { type Candidate, decoyHas } from './masking.ts';
import { secondFactors } from './mfa-settings.ts';

/** A first factor as it is chosen on the wire. */
export type ChoiceName = 'EMAIL_OTP' | 'PASSWORD' | 'PASSWORD_SRP' | 'SMS_OTP';

/** What a choice-based login can begin with. */
interface FirstFactorRow {
  /** The names by which it is chosen on the wire. */
  readonly choices: readonly ChoiceName[];
  readonly isHeld: (found: UserWithCredential) => boolean;
  /** Set where it goes with a message. Then it is not for users who owe a second factor: who reads the message would have both. */
  readonly channel?: Channel;
}

const ROWS: Readonly<Partial<Record<FirstFactor, FirstFactorRow>>> = {
  PASSWORD: { choices: ['PASSWORD_SRP', 'PASSWORD'], isHeld: ({ credential }) => credential !== undefined },
  EMAIL_OTP: { choices: ['EMAIL_OTP'], isHeld: ({ user }) => Boolean(user.attributes.email), channel: 'email' },
  SMS_OTP: { choices: ['SMS_OTP'], isHeld: ({ user }) => Boolean(user.attributes.phone_number), channel: 'sms' },
};

/** In the order in which Cognito lists them. */
const ORDER: readonly FirstFactor[] = ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'];

type Named = readonly [factor: FirstFactor, row: FirstFactorRow];

/** What a pool allows and this version knows; nothing else is offered. */
function offered({ firstFactors }: PoolSettings): readonly Named[] {
  return ORDER.flatMap((factor): readonly Named[] => {
    const row = firstFactors.includes(factor) ? ROWS[factor] : undefined;
    return row === undefined ? [] : [[factor, row]];
  });
}

/** What the user has of the pool's first factors, whether or not a login may begin with it now. */
export function heldFactors(settings: PoolSettings, found: UserWithCredential): readonly FirstFactor[] {
  return offered(settings).flatMap(([factor, { isHeld }]) => (isHeld(found) ? [factor] : []));
}

/** The choice of a name, where a login on this pool can begin with it, whoever logs in. */
export function choiceNamed(settings: PoolSettings, name: string): ChoiceName | undefined {
  return offered(settings)
    .flatMap(([, { choices }]) => choices)
    .find((choice) => choice === name);
}

/**
 * Whether a factor that goes with a message would prove this user. It is for users who owe no second factor,
 * and a temporary password is changed only by who knows it.
 */
export function canReceive(
  pool: PoolRecord,
  found: UserWithCredential,
  factor: FirstFactor,
  hasActiveTotp: boolean,
): boolean {
  const { user } = found;
  const owesNothing = secondFactors(pool.settings, user, hasActiveTotp).kind === 'none';
  return owesNothing && user.status !== 'FORCE_CHANGE_PASSWORD' && (ROWS[factor]?.isHeld(found) ?? false);
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
export function availableChoices(chooser: Chooser, hasActiveTotp: boolean): readonly ChoiceName[] {
  const { context, pool } = chooser;
  return offered(pool.settings)
    .filter(([, { channel }]) => channel === undefined || context.senders[channel] !== undefined)
    .filter(([factor, row]) => isAvailable(chooser, factor, row, hasActiveTotp))
    .flatMap(([, { choices }]) => choices);
}

function isAvailable(
  { context, pool, candidate }: Chooser,
  factor: FirstFactor,
  row: FirstFactorRow,
  hasActiveTotp: boolean,
): boolean {
  const { found, typedName } = candidate;
  if (row.channel === undefined) return found === undefined || row.isHeld(found);
  if (found !== undefined) return canReceive(pool, found, factor, hasActiveTotp);
  return pool.settings.mfaConfiguration !== 'ON' && decoyHas(context, pool, typedName, factor);
}
