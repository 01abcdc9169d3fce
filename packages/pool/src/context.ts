import type { SrpComputations, SrpEngine } from '@poolgate/srp';
import type { MessageLimits } from './messages/message-limits.ts';
import type { SourceNetwork } from './messages/source-network.ts';
import type { PoolStore } from './store/pool-store.ts';
import type { SignTexts } from './tokens/sign-texts.ts';
import type { TriggerInvoker } from './triggers/invoker.ts';
import type { ReportUnmappedTrigger } from './triggers/unmapped-triggers.ts';

/** Milliseconds since the epoch. A parameter, so that tests move time instead of waiting. */
export interface Clock {
  now(): number;
}

/** Cryptographically strong random bytes. */
export type Random = (byteLength: number) => Uint8Array<ArrayBuffer>;

/**
 * Encrypts what must not lie in the database in clear, with keys that are kept outside it.
 * An encrypted text is bound to its purpose and to the associated data; several keys are known while they are being rotated.
 */
export interface KeyRing {
  /** No two texts that it gives are alike, or end alike: even of one plaintext. */
  encrypt(purpose: string, plaintext: Uint8Array, associatedData: string): string;
  /** Undefined where the text was not encrypted by a known key for this purpose and these data. */
  decrypt(purpose: string, encrypted: string, associatedData: string): Uint8Array<ArrayBuffer> | undefined;
}

/** By what a message travels. */
export type Channel = 'email' | 'sms';

/** A message to a user. It may hold a code: it goes to the sender and nowhere else. */
export interface Message {
  /** The same at every try, so that whoever receives it twice can tell. */
  readonly id: string;
  readonly channel: Channel;
  /** One address, or one telephone number (E.164). */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** The same as HTML; undefined where the channel has none. */
  readonly html: string | undefined;
  readonly code: string | undefined;
}

/** Delivers messages over one channel. */
export interface Sender {
  /**
   * Resolves once the message is accepted for delivery. The signal says that nobody waits for it any more.
   * @throws {SendFailure} it was not, or nobody can tell
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** True: sending takes no time and fails never, so that a request may wait for it. */
  readonly immediate?: boolean;
}

/** The sender of each channel. What must send over a channel without one is refused before anything is written. */
export type Senders = Readonly<Partial<Record<Channel, Sender>>>;

/** Calls back later. A parameter, so that tests need not wait. */
export interface Timer {
  /** Runs something once, after so many milliseconds; gives what calls it off. It keeps no process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** Says whether a password is among those that are known to have leaked. */
export type BreachCheck = (password: string) => Promise<boolean>;

/**
 * Gives the rests of the SHA-1 digests of leaked passwords that begin with five upper-case hexadecimal digits.
 * @param sources the networks of who asks, narrowest first: each causes a bounded number of requests elsewhere
 */
export type LeakedRange = (prefix: string, sources: readonly SourceNetwork[]) => Promise<readonly string[]>;

/** A user of an older system, at the first login. */
export interface MigrationLogin {
  readonly userPoolId: string;
  readonly clientId: string;
  /** As it was typed. */
  readonly username: string;
  /** Only where the login form itself carries it. It is not kept, and must not be. */
  readonly password: string;
}

/** What an older system knows of a user whom it admits. */
export interface MigratedUser {
  readonly attributes: Readonly<Record<string, string>>;
  /** Default true: the password that was sent becomes the user's. False: it has to be reset. */
  readonly keepPassword?: boolean;
}

/** Admits a user of an older system whose password is right, or answers undefined. */
export type MigrateUserHook = (login: MigrationLogin) => Promise<MigratedUser | undefined>;

/** A login whose tokens are to be signed. */
export interface ClaimsRequest {
  readonly userPoolId: string;
  readonly clientId: string;
  readonly sub: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** Claims to add to the tokens of a login. Those that the pool writes itself are never replaced. */
export interface AddedClaims {
  readonly access?: Readonly<Record<string, unknown>>;
  readonly id?: Readonly<Record<string, unknown>>;
}

/** Adds claims to tokens, at each login and refresh. */
export type AddClaimsHook = (question: ClaimsRequest) => AddedClaims | Promise<AddedClaims>;

/** What takes milliseconds, and may be done by other threads. */
export interface Computations {
  readonly srp: SrpComputations;
  readonly signTexts: SignTexts;
}

/** What whoever runs the service should know. `srp_without_migration`: a login by SRP sends no password, so the trigger UserMigration is not asked. */
export type PoolHint = 'srp_without_migration';

/** Everything that the pool is given; it reaches for nothing by itself. */
export interface PoolContext {
  readonly store: PoolStore;
  readonly keyRing: KeyRing;
  readonly engine: SrpEngine;
  /** Absent: everything is computed on the thread that asks. */
  readonly computations?: Computations;
  readonly clock: Clock;
  readonly random: Random;
  readonly timer: Timer;
  readonly senders: Senders;
  /** What users know the service by; it stands above the mails whose look is ours. Absent: nothing stands there. */
  readonly appName?: string;
  /** How long events are kept, in days. */
  readonly auditDays: number;
  /** Default: {@link DEFAULT_MESSAGE_LIMITS}. */
  readonly messageLimits?: MessageLimits;
  /** The AWS account in the names of resources, 12 digits. Default: zeros. */
  readonly accountId?: string;
  /** How long a registration waits for the proof of its contact, in days. */
  readonly registrationDays: number;
  /** Absent: new passwords are looked up nowhere else. */
  readonly isBreached?: BreachCheck;
  /** The same for passwords that clients do not send. Set where {@link isBreached} is. */
  readonly leakedRange?: LeakedRange;
  /** Absent: unknown users stay unknown. */
  readonly migrate?: MigrateUserHook;
  readonly addClaims?: AddClaimsHook;
  /** Absent: no function can be called, and what needs one is refused. */
  readonly triggers?: TriggerInvoker;
  /** From how many distinct networks calls must fail in a row before a function rests. Default: 8. */
  readonly triggerBreakerNetworks?: number;
  /** Told of triggers that cannot be called because nothing is mapped to their ARN. */
  readonly onUnmappedTrigger?: ReportUnmappedTrigger;
  /**
   * Whether a message whose trigger `CustomMessage` is not mapped is sent with the text of the pool. Default: it waits until the trigger
   * is mapped or the message expires.
   */
  readonly sendsWithoutUnmappedTrigger?: boolean;
  /** Told as often as it is so, and of nobody in particular. */
  readonly hint?: (hint: PoolHint) => void;
}
