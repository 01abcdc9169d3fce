/**
 * One file for each challenge of a login: how it is issued, and how an answer is verified. A verdict is proven, disproven or declined. It
 * writes nothing and does not know what follows.
 */
import type { ChallengeName, ProviderError } from '@poolgate/provider';
import type { OutgoingMessage } from '../../delivery/message-queue.ts';
import type { Channel } from '../../delivery/sender.ts';
import type { LoginCandidate } from '../../identity/login-candidate.ts';
import type { GuessCounter } from '../../proofs/lockouts/lockout.ts';
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
 * The challenges that this pool can issue. Most are named as at the Cognito-compatible API; `EMAIL_OTP` is there the first factor only,
 * because as a second factor (`EMAIL_MFA`) and while one is set up (`EMAIL_SETUP`) it proves something else. `REGISTRATION_VERIFIER` is there
 * `PASSWORD_VERIFIER`: it is about the password of a registration that nobody has confirmed, and never ends in tokens.
 */
export type PoolChallengeName =
  | 'CUSTOM_CHALLENGE'
  | 'DEVICE_PASSWORD_VERIFIER'
  | 'DEVICE_SRP_AUTH'
  | 'EMAIL_MFA'
  | 'EMAIL_OTP'
  | 'EMAIL_SETUP'
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

/** The challenges that go with a message. */
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
 * What a login can wait for, and what can be proven in it: a challenge, or the sign-up that was confirmed just before.
 * `DISCOVERABLE_LOGIN` waits for a passkey of whomever. What a passkey proves is `WEB_AUTHN`, or `WEB_AUTHN_VERIFIED` where
 * its authenticator made sure of the user as well. `CUSTOM_AUTH` is proven where triggers say that a login is good.
 */
export type ProofName = PoolChallengeName | 'CUSTOM_AUTH' | 'DISCOVERABLE_LOGIN' | 'SIGN_UP' | 'WEB_AUTHN_VERIFIED';

/** One step of a login, as every factor and challenge sees it. */
export interface LoginStep extends PoolAndClient {
  readonly ports: LoginPorts;
  readonly nowMs: number;
  /** Who is logging in; for an unknown name somebody who only looks like a user. */
  readonly candidate: LoginCandidate;
  /** What the client sent with this step. */
  readonly sent: ParameterMap;
  /** What the request that starts a login gives to triggers. */
  readonly validationData?: TriggerData | undefined;
  /** What an answer gives to the triggers that follow on it; what starts a login gives them nothing (Cognito). */
  readonly clientMetadata?: TriggerData | undefined;
  /** What has happened in a login whose order triggers decide on; undefined in every other one. */
  readonly custom?: readonly CustomAuthStepResult[] | undefined;
  /** Whether the client showed the session of an earlier code that this step sends again. */
  readonly isResend?: boolean;
}

/** What answers are verified with, beside the password of the candidate, as the factor reads it. */
export interface VerificationKeys {
  readonly totp?: TotpRecord | undefined;
  readonly device?: DeviceRecord | undefined;
  readonly passkey?: PasskeyRecord | undefined;
}

/** An answer whose keys are still to be read. */
export interface UnreadAnswer extends Pick<LoginStep, 'pool' | 'sent'> {
  /** Of the candidate. */
  readonly userId: string;
  /** What the challenge kept when it was issued. */
  readonly state: Uint8Array;
}

/** An answer, together with what the challenge kept when it was issued. */
export interface AnswerStep extends LoginStep {
  readonly state: Uint8Array;
  readonly keys: VerificationKeys;
}

/** What a candidate has beside a password, as far as a login may need it. */
export interface UserFactors {
  /** The proven authenticator. */
  readonly totp: TotpRecord | undefined;
  /** The confirmed device whose key the login named. */
  readonly device: DeviceRecord | undefined;
}

/** The same, as far as a challenge that is issued reports it. */
export interface ChallengeFacts extends UserFactors {
  /** Those that a login can begin with; none where the challenge tells nothing of them. */
  readonly passkeys: readonly PasskeyRecord[];
}

/** The user and what belongs to it, as read in the write that decides. */
export interface CurrentUser extends UserWithCredential {
  readonly userFactors: UserFactors;
}

/** The user, and what the verdict has read again with it. */
export interface ProvenUser extends CurrentUser {
  readonly keys: VerificationKeys;
}

/**
 * Uses up what can be used once, and looks again at what may have changed since the answer was verified. Inside the deciding write.
 * @returns the refusal of an answer that is wrong after all; it counts as a guess
 */
export type FinalCheck = (transaction: PoolTransaction, current: ProvenUser) => Promise<ProviderError | undefined>;

/**
 * Writes what a proven answer brings about, inside the one write that decides the login.
 * It gets the user as read in that write and gives the user as it is afterwards. A rejection undoes the whole write.
 */
export type ProofEffect = (transaction: PoolTransaction, user: UserWithCredential) => Promise<UserWithCredential>;

/**
 * What an answer is worth. It stays a secret until the deciding write has accepted it.
 *
 * - `proven`: right, if the claim agrees. The proof is named where it is not the one of the factor's name.
 * - `continues`: acceptable, and it proves nothing; the named challenge follows.
 * - `disproven`: wrong, and counted as a guess.
 * - `declined`: not acceptable, without having been a guess; the session can be answered again.
 * - `refused`: right, so that earlier wrong guesses are forgotten, and refused whatever it proves.
 */
export type AnswerVerdict =
  | {
      readonly outcome: 'proven';
      readonly proof?: ProofName;
      readonly finalCheck?: FinalCheck;
      /** Reads once more what the final check compares, where it was read before the write; issued behind the lock of the user. */
      readonly rereadKeys?: (transaction: PoolTransaction) => Promise<VerificationKeys>;
      readonly effect?: ProofEffect;
    }
  | { readonly outcome: 'continues'; readonly to: PoolChallengeName }
  | {
      readonly outcome: 'disproven';
      readonly error: ProviderError;
      /** What else is to be told about the user than that an answer was wrong: the key of a factor was there. */
      readonly eventType?: 'factor.maybe_copied';
    }
  | { readonly outcome: 'declined'; readonly error: ProviderError }
  | { readonly outcome: 'refused'; readonly error: ProviderError };

/** Something that proves who is logging in. */
export interface Factor {
  readonly name: ProofName;
  /** The counter of wrong answers; undefined where an answer cannot be guessed. */
  readonly counter: GuessCounter | undefined;
  /**
   * What spends the session. `success`: only an answer that leads on. `failure`: a wrong one too. `attempt`: any answer, and before it is
   * looked at, so that what was asked for once is never verified twice. The first two are spent by the statement that reserves the
   * answer, and given back where the answer does not spend them: nearly every answer does.
   */
  readonly spentBy: 'success' | 'failure' | 'attempt';
  /**
   * Whether answers are verified in the deciding write itself, after it reserved the session: only where that takes next to no time, waits
   * for nothing, and needs nothing but the candidate, its password and what `readKeys` reads.
   */
  readonly verifiesInWrite?: true;
  /** Reads what answers are verified with. It is issued together with the read of the candidate. */
  readonly readKeys?: (reads: PoolReads, answer: UnreadAnswer) => Promise<VerificationKeys>;
  /** Whether an answer holds a password by which a user of an older system can be taken over. */
  readonly allowsMigration?: true;
  /**
   * Verifies an answer and does nothing else: what follows is decided elsewhere.
   * Rejects with a `ProviderError` where the answer cannot be verified at all; then nothing has happened.
   */
  verifyAnswer(step: AnswerStep): AnswerVerdict | Promise<AnswerVerdict>;
}

/** What a challenge gives out, and what it wants to find again with the answer. */
export interface ChallengeContent {
  readonly parameters: ParameterMap;
  /** Encrypted into the session; the client cannot read it. */
  readonly state: Uint8Array;
}

/** A challenge that goes with a message. */
export interface MessageChallengeContent extends ChallengeContent {
  readonly message: OutgoingMessage;
}

/** Where the encrypted session travels: as `Session`, as the secret block that the answer's signature covers, or as that block beside a `Session`. */
export type SessionCarrierName = 'session' | 'secretBlock' | 'secretBlockAndSession';

/** A factor that is asked for by a challenge. */
interface ChallengeProperties extends Factor {
  readonly name: PoolChallengeName;
  readonly cognitoName: ChallengeName;
  readonly carrier: SessionCarrierName;
  /** Whether it can be answered where `SELECT_CHALLENGE` is pending, as if it had been chosen before. */
  readonly answersChoice: boolean;
  /** Whether the other first factors that could be chosen instead are named with it. */
  readonly namesChoices: boolean;
  /** Whether triggers verify its answers, and decide on what follows. */
  readonly isVerifiedByTriggers?: true;
  /** Where it depends on the pool's settings whether a login can meet it. */
  readonly isOffered?: (settings: PoolSettings) => boolean;
}

/** A challenge. One that sends a message is issued in the deciding write, so that code and session come together or not at all. */
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
