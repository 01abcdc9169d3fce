import type { ClientStart, DeviceVerifier } from '@poolgate/srp';
import { GUESS_KINDS, GuessCounter, type GuessKind, SendAllowance } from './policy.ts';
import type { Asked, DeviceState, MfaMethod } from './transitions.ts';

/** An authenticator as its user sees it. */
export interface ModelTotp {
  readonly secretCode: string;
  /** The latest step whose code was accepted. */
  lastStep: number;
}

/** A device, and what its owner's browser keeps of it. */
export interface ModelDevice {
  readonly key: string;
  readonly groupKey: string;
  readonly secret: DeviceVerifier;
  state: DeviceState;
  /** Attempts in front of a first factor that name a remembered device are counted for it alone. */
  readonly guesses: GuessCounters;
}

type GuessCounters = Readonly<Record<GuessKind, GuessCounter>>;

/** Fresh counters. */
export function newCounters(): GuessCounters {
  return Object.fromEntries(GUESS_KINDS.map((kind) => [kind, new GuessCounter(kind)])) as GuessCounters;
}

/** A user, with all that the honest one knows. */
export class ModelUser {
  readonly email: string;
  readonly phone: string | undefined;
  username = '';
  password: string;
  /** Grows with each password: a login is about one of them. */
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
  /** Where a login lost sight of the user: counted as for a name that nobody has, since nothing can be guessed there. */
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

  /** No device is trusted any more. */
  distrustDevices(): void {
    for (const device of this.devices.values()) {
      if (device.state === 'remembered') device.state = 'not_remembered';
    }
  }
}

/** Something that was proven in a login. The same message proves something else as first and as second factor. */
export type Proof = 'password' | 'first code' | 'new password' | 'second factor' | 'device' | 'triggers';

/** How far a login is whose order triggers decide on. */
interface CustomProgress {
  /** Whether the password comes first. */
  readonly beginsWithPassword: boolean;
  /** What the answers to their challenges were worth, oldest first. */
  readonly answers: readonly { readonly question: string; readonly isRight: boolean }[];
}

/** Who logs in, and what is known of the login by then. */
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
  /** The code that was sent with it; undefined where none was, or to nobody. */
  readonly code: string | undefined;
  /** True where the challenge is one that this user cannot pass: it only looks like one. */
  readonly isDecoy: boolean;
  readonly deviceKey: string | undefined;
  readonly isBoundToDevice: boolean;
  /** True where the password changed before anything was proven: the login goes on as if for nobody. */
  readonly isOfAttacker: boolean;
  /** The client's part of a pending SRP exchange. */
  readonly start: ClientStart | undefined;
  readonly custom?: CustomProgress;
  isSpent: boolean;
  answers: number;
  /** A code of a new authenticator was verified with this session. */
  totpProven: boolean;
}

/** Tokens that a login gave. */
export interface Grant {
  readonly user: ModelUser;
  readonly access: string;
  refresh: string;
  /** The device of the login: named, or given with the tokens. */
  readonly device: { readonly key: string; readonly groupKey: string | undefined } | undefined;
  readonly authenticatedAtMs: number;
  readonly passwordVersion: number;
  isRevoked: boolean;
}
