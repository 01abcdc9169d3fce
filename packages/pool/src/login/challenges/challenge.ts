/**
 * Each challenge of a login has a file: how it is issued, and how an answer is verified. A verdict is, for example, proven, disproven or
 * declined. A challenge writes nothing and does not decide the next step.
 */
import type { ChallengeName, ProviderError } from '@poolgate/provider';
import type { OutgoingMessage } from '../../delivery/message-queue.ts';
import type { Channel } from '../../delivery/sender.ts';
import type { LoginCandidate } from '../../identity/login-candidate.ts';
import type { GuessCounter } from '../../proofs/lockouts/lockout.ts';
import type { AcrLevel } from '../../settings/acr-levels.ts';
import type { PoolAndClient } from '../../settings/pools-and-clients.ts';
import type { MfaMethod, PoolSettings } from '../../store/pool-and-client-settings.ts';
import type { PoolReads, PoolTransaction } from '../../store/pool-store.ts';
import type { DeviceRecord, PasskeyRecord, TotpRecord, UserWithCredential } from '../../store/records.ts';
import type { CustomAuthStepResult } from '../../triggers/custom-auth-triggers.ts';
import type { TriggerData } from '../../triggers/trigger-definitions.ts';
import type { LoginPorts } from './login-ports.ts';

/** Keys and values of `AuthParameters`, `ChallengeResponses` and `ChallengeParameters`. */
export type ParameterMap = Readonly<Record<string, string>>;

/**
 * The challenges that this pool can issue. Most have the names of the Cognito-compatible API. There, `EMAIL_OTP` is also the name of the
 * second factor (`EMAIL_MFA`) and of its setup (`EMAIL_SETUP`), which prove something else here. `KEEP_ACCOUNT` is called `CUSTOM_CHALLENGE` there. `REGISTRATION_VERIFIER` is called
 * `PASSWORD_VERIFIER` there: it proves the password of an unconfirmed registration and never ends in tokens.
 */
export type PoolChallengeName =
  | 'CUSTOM_CHALLENGE'
  | 'DEVICE_PASSWORD_VERIFIER'
  | 'DEVICE_SRP_AUTH'
  | 'EMAIL_MFA'
  | 'EMAIL_OTP'
  | 'EMAIL_SETUP'
  | 'KEEP_ACCOUNT'
  | 'MFA_SETUP'
  | 'NEW_PASSWORD_REQUIRED'
  | 'PASSWORD'
  | 'PASSWORD_SRP'
  | 'PASSWORD_VERIFIER'
  | 'REGISTRATION_VERIFIER'
  | 'SELECT_CHALLENGE'
  | 'SELECT_MFA_TYPE'
  | 'SMS_MFA'
  | 'SMS_OTP'
  | 'SOFTWARE_TOKEN_MFA'
  | 'WEB_AUTHN';

/** The challenges that send a message. */
type MessageChallengeName = Extract<
  PoolChallengeName,
  'EMAIL_MFA' | 'EMAIL_OTP' | 'EMAIL_SETUP' | 'SMS_MFA' | 'SMS_OTP'
>;

/** The challenge of each second factor. */
export const MFA_CHALLENGES = {
  EMAIL_OTP: 'EMAIL_MFA',
  SMS_MFA: 'SMS_MFA',
  SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA',
} as const satisfies Record<MfaMethod, PoolChallengeName>;

/**
 * What a login can wait for, and what can be proven in it: a challenge, or a sign-up that was just confirmed. `DISCOVERABLE_LOGIN` waits
 * for any user's passkey. A passkey proves `WEB_AUTHN`, or `WEB_AUTHN_VERIFIED` if its authenticator verified the user; `ROAMING_` says that
 * the authenticator is not part of the user's device. `CUSTOM_AUTH` is proven when the triggers accept the login. `STEP_UP` follows the
 * proofs of an earlier login and proves nothing by itself.
 */
export type ProofName =
  | PoolChallengeName
  | 'CUSTOM_AUTH'
  | 'DISCOVERABLE_LOGIN'
  | 'PASSWORD_RESET'
  | 'ROAMING_WEB_AUTHN'
  | 'ROAMING_WEB_AUTHN_VERIFIED'
  | 'SIGN_UP'
  | 'STEP_UP'
  | 'WEB_AUTHN_VERIFIED';

/** The level that a login must reach. */
export interface LevelTarget {
  /** In the order of preference. */
  readonly levels: readonly AcrLevel[];
  /** The challenge that the client prefers if several lead to the level. */
  readonly preferred?: string | undefined;
  /** The login whose proofs count as proofs of this one. */
  readonly credit?: StepUpCredit | undefined;
}

/** A login from which a user steps up. */
export interface StepUpCredit {
  readonly loginId: string;
  /** When the user authenticated. The new login does not get a later time. */
  readonly authTimeSeconds: number;
}

/** A step of a login, as every factor and challenge sees it. */
export interface LoginStep extends PoolAndClient {
  readonly ports: LoginPorts;
  readonly nowMs: number;
  /** The user who is logging in; a decoy for an unknown name. */
  readonly candidate: LoginCandidate;
  /** The client's input of this step. */
  readonly sent: ParameterMap;
  /** The data for triggers from the request that starts a login. */
  readonly validationData?: TriggerData | undefined;
  /** The data for the triggers that follow an answer. Cognito does not pass the data of the starting request to them. */
  readonly clientMetadata?: TriggerData | undefined;
  /** The history of a login whose order the triggers decide; undefined for other logins. */
  readonly custom?: readonly CustomAuthStepResult[] | undefined;
  /** The level that this login must reach; undefined if none was requested. */
  readonly target?: LevelTarget | undefined;
  /** Whether the client sent the session of an earlier code that this step sends again. */
  readonly isResend?: boolean;
}

/** The keys that verify answers in addition to the candidate's password, as read by the factor. */
export interface VerificationKeys {
  readonly totp?: TotpRecord | undefined;
  readonly device?: DeviceRecord | undefined;
  readonly passkey?: PasskeyRecord | undefined;
}

/** An answer whose keys were not read yet. */
export interface UnreadAnswer extends Pick<LoginStep, 'pool' | 'sent'> {
  /** The candidate's. */
  readonly userId: string;
  /** The data of the challenge from when it was issued. */
  readonly state: Uint8Array;
}

/** An answer with the data of its challenge. */
export interface AnswerStep extends LoginStep {
  readonly state: Uint8Array;
  readonly keys: VerificationKeys;
}

/** The candidate's factors in addition to the password. */
export interface UserFactors {
  /** The verified authenticator. */
  readonly totp: TotpRecord | undefined;
  /** The confirmed device whose key the login named. */
  readonly device: DeviceRecord | undefined;
}

/** The same, as far as an issued challenge shows it. */
export interface ChallengeFacts extends UserFactors {
  /** The passkeys that can start a login; empty if the challenge does not show them. */
  readonly passkeys: readonly PasskeyRecord[];
  /** The second factors to choose from, if a requested level leaves only some of them. */
  readonly mfaMethods?: readonly MfaMethod[] | undefined;
}

/** The user with its related records, as read in the deciding write. */
export interface CurrentUser extends UserWithCredential {
  readonly userFactors: UserFactors;
}

/** The user, together with the data that the verdict has read again. */
export interface ProvenUser extends CurrentUser {
  readonly keys: VerificationKeys;
}

/**
 * Consumes single-use values, and checks again what may have changed since the answer was verified. Runs in the deciding write.
 * @returns the error for an answer that is wrong after all, which counts as a guess
 */
export type FinalCheck = (transaction: PoolTransaction, current: ProvenUser) => Promise<ProviderError | undefined>;

/**
 * Writes the effects of a proven answer, in the single write that decides the login. It receives the user as read in that write and returns
 * the changed user. A rejection undoes the whole write.
 */
export type ProofEffect = (transaction: PoolTransaction, user: UserWithCredential) => Promise<UserWithCredential>;

/**
 * The verdict on an answer. It stays secret until the deciding write has accepted it.
 *
 * - `proven`: correct, if the claim agrees. It names the proof if that differs from the factor's name.
 * - `continues`: acceptable without proving anything; the named challenge follows.
 * - `disproven`: wrong, and counted as a guess.
 * - `declined`: not acceptable, but not a guess; the session can be used again.
 * - `refused`: correct, so that earlier wrong guesses are forgotten, but refused anyway.
 */
export type AnswerVerdict =
  | {
      readonly outcome: 'proven';
      readonly proof?: ProofName;
      readonly finalCheck?: FinalCheck;
      /** Reads the input of the final check again, if it was read before the write. Issued after the lock of the user. */
      readonly rereadKeys?: (transaction: PoolTransaction) => Promise<VerificationKeys>;
      readonly effect?: ProofEffect;
    }
  | { readonly outcome: 'continues'; readonly to: PoolChallengeName }
  | {
      readonly outcome: 'disproven';
      readonly error: ProviderError;
      /** An additional event besides the wrong answer: the factor's key was used. */
      readonly eventType?: 'factor.maybe_copied';
    }
  | { readonly outcome: 'declined'; readonly error: ProviderError }
  | { readonly outcome: 'refused'; readonly error: ProviderError };

/** A way to prove who is logging in. */
export interface Factor {
  readonly name: ProofName;
  /** The counter of wrong answers; undefined if answers cannot be guessed. */
  readonly counter: GuessCounter | undefined;
  /**
   * What spends the session. `success`: only an answer that leads on. `failure`: also a wrong answer. `attempt`: any answer before it is
   * checked, so that nothing is verified twice. In the first two cases, the statement that reserves the answer spends the session, and it
   * is restored if the answer does not spend it. Almost every answer does.
   */
  readonly spentBy: 'success' | 'failure' | 'attempt';
  /**
   * Whether answers are verified in the deciding write, after it reserved the session. This requires that verifying takes almost no time,
   * waits for nothing, and needs only the candidate, its password and the result of `readKeys`.
   */
  readonly verifiesInWrite?: true;
  /** Reads the keys that verify answers, together with the candidate. */
  readonly readKeys?: (reads: PoolReads, answer: UnreadAnswer) => Promise<VerificationKeys>;
  /** Whether an answer contains a password that can migrate a user of an older system. */
  readonly allowsMigration?: true;
  /**
   * Verifies an answer and does nothing else; the consequences are decided elsewhere. Rejects with a `ProviderError` if the answer cannot
   * be verified at all, in which case nothing has changed.
   */
  verifyAnswer(step: AnswerStep): AnswerVerdict | Promise<AnswerVerdict>;
}

/** A challenge's parameters, and the data that it needs again with the answer. */
export interface ChallengeContent {
  readonly parameters: ParameterMap;
  /** Encrypted into the session, so the client cannot read it. */
  readonly state: Uint8Array;
}

/** A challenge that sends a message. */
export interface MessageChallengeContent extends ChallengeContent {
  readonly message: OutgoingMessage;
}

/**
 * Where the encrypted session is sent: as `Session`, as the secret block that the answer's signature covers, or as that block in addition
 * to a `Session`.
 */
export type SessionCarrierName = 'session' | 'secretBlock' | 'secretBlockAndSession';

/** A factor with a challenge. */
interface ChallengeProperties extends Factor {
  readonly name: PoolChallengeName;
  readonly cognitoName: ChallengeName;
  readonly carrier: SessionCarrierName;
  /** Whether it can be answered while `SELECT_CHALLENGE` is pending, as if it had been chosen before. */
  readonly answersChoice: boolean;
  /** Whether its response also names the other first factors to choose from. */
  readonly namesChoices: boolean;
  /** Whether triggers verify its answers and decide the next step. */
  readonly isVerifiedByTriggers?: true;
  /** Whether a pool offers it, if that depends on the settings. */
  readonly isOffered?: (settings: PoolSettings) => boolean;
}

/** A challenge. One that sends a message is issued in the deciding write, so that code and session are created together or not at all. */
export type Challenge = ChallengeProperties &
  (
    | {
        readonly sends?: never;
        issue(step: LoginStep, shown: ChallengeFacts): ChallengeContent | Promise<ChallengeContent>;
      }
    | {
        readonly sends: Channel;
        readonly name: MessageChallengeName;
        issue(step: LoginStep, userFactors: UserFactors): MessageChallengeContent;
      }
  );
