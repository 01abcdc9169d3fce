import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import type { ClockPort, StorePort } from '../kernel/ports.ts';
import type { DecoyPorts, NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';

/** The dependencies of a registration's expiry. */
export interface RegistrationExpiryPorts extends ClockPort {
  /** How many days a registration waits for the verification of its contact. */
  readonly registrationDays: number;
}

/** The dependencies of confirming a registration, with a code or a proof of its password. */
export interface ConfirmationPorts
  extends DecoyPorts,
    NotificationPorts,
    NewPasswordPorts,
    SettingsCachePort,
    StorePort,
    TriggerPorts {}

/** The dependencies of a sign-up. */
export interface SignUpPorts extends ConfirmationPorts, DeliveryPorts, RegistrationExpiryPorts {}
