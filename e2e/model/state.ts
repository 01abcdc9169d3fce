import type { ClientStart, DeviceVerifier } from '@poolgate/srp';
import { GUESS_KINDS, GuessCounter, type GuessKind, SendAllowance } from './policy.ts';
import type { Asked, DeviceState, MfaMethod } from './transitions.ts';

/** An authenticator as its user sees it. */
export interface ModelTotp {
  readonly secretCode: string;
  /** The latest step whose code was accepted. */
  lastStep: number;
}

/** A device, and what its owner's browser stores. */
export interface ModelDevice {
  readonly key: string;
  readonly groupKey: string;
  readonly secret: DeviceVerifier;
  state: DeviceState;
  /** Attempts before a first factor that name a remembered device count only for it. */
  readonly guesses: GuessCounters;
}

type GuessCounters = Readonly<Record<GuessKind, GuessCounter>>;

/** Fresh counters. */
export function newCounters(): GuessCounters {
  return Object.fromEntries(GUESS_KINDS.map((kind) => [kind, new GuessCounter(kind)])) as GuessCounters;
}

/** A user, with everything that the real owner knows. */
export class ModelUser {
  readonly email: string;
  readonly phone: string | undefined;
  username = '';
  password: string;
  /** Increases with each password. A login is bound to one of them. */
  passwordVersion = 0;
  mustChangePassword = false;
  totp: ModelTotp | undefined;
  pendingTotp: string | undefined;
  isPhoneVerified = false;
  methods: Set<MfaMethod> = new Set();
  preferred: MfaMethod | undefined;
  readonly recoveryCodes = new Set<string>();
  readonly voidRecoveryCodes: string[] = [];
  readonly devices = new Map<string, ModelDevice>();
  readonly guesses = newCounters();
  /** For logins that no longer match the user: counted as for an unknown name, because nothing can be guessed there. */
  readonly attackersGuesses = newCounters();
  /** Wrong passwords of a stranger on another network. */
  readonly strangersGuesses = new GuessCounter('password');
  readonly sends = new SendAllowance();

  constructor(email: string, phone: string | undefined, password: string) {
    this.email = email;
    this.phone = phone;
    this.password = password;
  }

  get hasTotp(): boolean {
    return this.totp !== undefined;
  }

  /** From now on, no device is trusted. */
  distrustDevices(): void {
    for (const device of this.devices.values()) {
      if (device.state === 'remembered') device.state = 'not_remembered';
    }
  }
}

/** Something proven in a login. The same message proves something else as first and as second factor. */
export type Proof = 'password' | 'first code' | 'new password' | 'second factor' | 'device' | 'triggers';

/** The progress of a login whose order triggers decide. */
interface CustomProgress {
  /** Whether the password comes first. */
  readonly beginsWithPassword: boolean;
  /** The results of the answers to its challenges, oldest first. */
  readonly answers: readonly { readonly question: string; readonly isRight: boolean }[];
}

/** The user of a login, and its state so far. */
export interface Progress {
  readonly user: ModelUser;
  readonly proofs: readonly Proof[];
  readonly deviceKey: string | undefined;
  readonly isBoundToDevice: boolean;
  readonly isOfAttacker: boolean;
  readonly passwordVersion: number;
  readonly custom?: CustomProgress;
}

/** A login that waits for an answer. */
export interface Chain {
  readonly user: ModelUser;
  readonly asked: Asked;
  session: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly proofs: readonly Proof[];
  readonly passwordVersion: number;
  expiresAtMs: number;
  /** The code that was sent with it. Undefined if none was sent. */
  readonly code: string | undefined;
  /** True if the user cannot pass the challenge, which is a decoy. */
  readonly isDecoy: boolean;
  readonly deviceKey: string | undefined;
  readonly isBoundToDevice: boolean;
  /** True if the password changed before anything was proven. The login continues as for an unknown user. */
  readonly isOfAttacker: boolean;
  /** The client's part of a pending SRP exchange. */
  readonly start: ClientStart | undefined;
  readonly custom?: CustomProgress;
  isSpent: boolean;
  answers: number;
  /** The code of a new authenticator that was verified with this session. */
  totpProven: boolean;
}

/** The tokens of a login. */
export interface Grant {
  readonly user: ModelUser;
  readonly access: string;
  refresh: string;
  /** The device of the login: the named one, or the one returned with the tokens. */
  readonly device: { readonly key: string; readonly groupKey: string | undefined } | undefined;
  readonly authenticatedAtMs: number;
  readonly passwordVersion: number;
  isRevoked: boolean;
}
