import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import type { ClockPort, StorePort } from '../kernel/ports.ts';
import type { DecoyPorts, NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';

/** What the expiry of a registration takes. */
export interface RegistrationExpiryPorts extends ClockPort {
  /** How long a registration waits for the proof of its contact, in days. */
  readonly registrationDays: number;
}

/** What confirming a registration takes: by a code, or by proof of its password. */
export interface ConfirmationPorts extends DecoyPorts, NotificationPorts, NewPasswordPorts, StorePort, TriggerPorts {}

/** What a sign-up takes. */
export interface SignUpPorts extends ConfirmationPorts, DeliveryPorts, RegistrationExpiryPorts, SettingsCachePort {}
