import type { SrpComputations } from '@poolgate/srp';
import type { ClockPort, EnginePort, KeyRingPort, MacPorts, RandomPort } from '../../kernel/ports.ts';
import type { CredentialRecord } from '../../store/records.ts';
import type { BreachCheck, LeakedPasswordLookup } from './leaked-passwords.ts';

/** SRP's exponentiations, which may run on other threads. */
export interface SrpPort {
  readonly srp: SrpComputations;
}

/** What comparing a password takes. */
export interface PasswordMatchPorts extends EnginePort, KeyRingPort, SrpPort {}

/** What making the verifier of a new password takes. */
export interface NewCredentialPorts extends ClockPort, PasswordMatchPorts, RandomPort {}

/** What checking and storing a new password takes. */
export interface NewPasswordPorts extends NewCredentialPorts {
  /** Absent: new passwords are looked up nowhere else. */
  readonly isBreached?: BreachCheck;
}

/** Ranges of leaked passwords. */
export interface LeakedPasswordLookupPort {
  /** The same for passwords that clients do not send. Set if `isBreached` is. */
  readonly leakedRange?: LeakedPasswordLookup;
}

/** Passwords that unknown names are compared with. */
export interface DecoyCredentialsPort {
  /** By pool id: a random password to compare with if there is none. */
  readonly decoyCredentials: Map<string, CredentialRecord>;
}

/** What the decoy of an unknown name takes. */
export interface DecoyPorts extends ClockPort, DecoyCredentialsPort, MacPorts, RandomPort {}
