import type { SrpComputations } from '@poolgate/srp';
import type {
  AppNamePort,
  CustomMessagePorts,
  MailBrandPort,
  MessageLimitsPort,
  SendersPort,
} from '../delivery/delivery-ports.ts';
import type { IdentityProviderPort } from '../federation/provider-protocol.ts';
import type { ClockPort, EnginePort, KeyRingPort, RandomPort, StorePort, TimerPort } from '../kernel/ports.ts';
import type { MigrationPort, PoolHintPort } from '../login/challenges/login-ports.ts';
import type { ClientKeyPorts } from '../oauth/client-keys.ts';
import type { PasskeyRefusalPort } from '../proofs/passkeys/passkey-refusals.ts';
import type { LeakedPasswordLookupPort, NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import type { RegistrationExpiryPorts } from '../registrations/registration-ports.ts';
import type { AccountPort, DomainPort } from '../settings/settings-ports.ts';
import type { UnsupportedSettingsPort } from '../settings/unsupported-settings.ts';
import type { SignTexts } from '../tokens/sign-texts.ts';
import type { AddClaimsPort } from '../tokens/token-ports.ts';
import type { TriggerPorts, TriggerTargetPorts } from '../triggers/trigger-ports.ts';
import type { DeletionPort } from './account-ports.ts';

/** Computations that take milliseconds and may run on other threads. */
export interface Computations {
  readonly srp: SrpComputations;
  readonly signTexts: SignTexts;
}

/** All dependencies of the pool; it uses nothing else. */
export interface PoolOptions
  extends AccountPort,
    AddClaimsPort,
    AppNamePort,
    ClockPort,
    DeletionPort,
    DomainPort,
    Pick<ClientKeyPorts, 'fetchClientKeys'>,
    EnginePort,
    IdentityProviderPort,
    PoolHintPort,
    KeyRingPort,
    LeakedPasswordLookupPort,
    MailBrandPort,
    MessageLimitsPort,
    MigrationPort,
    Pick<CustomMessagePorts, 'sendsWithoutUnmappedTrigger'>,
    Pick<NewPasswordPorts, 'isBreached'>,
    Pick<TriggerPorts, 'triggerBreakerNetworks'>,
    PasskeyRefusalPort,
    RandomPort,
    RegistrationExpiryPorts,
    SendersPort,
    StorePort,
    TimerPort,
    TriggerTargetPorts,
    UnsupportedSettingsPort {
  /** If absent, everything runs on the calling thread. */
  readonly computations?: Computations;
  /** How long events are kept, in days. */
  readonly auditDays: number;
}
