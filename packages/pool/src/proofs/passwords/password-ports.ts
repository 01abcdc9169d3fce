import type { SrpComputations } from '@poolgate/srp';
import type { ClockPort, EnginePort, KeyRingPort, MacPorts, RandomPort } from '../../kernel/ports.ts';
import type { CredentialRecord } from '../../store/records.ts';
import type { BreachCheck, LeakedPasswordLookup } from './leaked-passwords.ts';

/** SRP's exponentiations, which may run on other threads. */
export interface SrpPort {
  readonly srp: SrpComputations;
}

/** The dependencies of comparing a password. */
export interface PasswordMatchPorts extends EnginePort, KeyRingPort, SrpPort {}

/** The dependencies of creating the verifier of a new password. */
export interface NewCredentialPorts extends ClockPort, PasswordMatchPorts, RandomPort {}

/** The dependencies of checking and storing a new password. */
export interface NewPasswordPorts extends NewCredentialPorts {
  /** If absent, new passwords are not looked up externally. */
  readonly isBreached?: BreachCheck;
}

/** Ranges of leaked passwords. */
export interface LeakedPasswordLookupPort {
  /** The same for passwords that clients do not send. Set if `isBreached` is. */
  readonly leakedRange?: LeakedPasswordLookup;
}

/** Passwords that unknown names are compared with. */
export interface DecoyCredentialsPort {
  /** By pool id: a random password to compare with if a user has none. */
  readonly decoyCredentials: Map<string, CredentialRecord>;
}

/** The dependencies of an unknown name's decoy. */
export interface DecoyPorts extends ClockPort, DecoyCredentialsPort, MacPorts, RandomPort {}
