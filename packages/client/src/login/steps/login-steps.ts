import type { PasskeyFailure } from '../../passkeys/passkey-failure.ts';
import type { SessionResponse } from '../../transport/login-responses.ts';
import type { PoolgateError } from '../../transport/poolgate-error.ts';

/** The members of every step that waits for the user. */
interface InteractiveStep {
  /** As typed; null in a login that started without a username. */
  readonly username: string | null;
  /** Why the previous answer was rejected; null at first. The user can answer again. */
  readonly error: PoolgateError | null;
}

/** A factor that a login can start with. */
export type FirstFactor = 'PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN';

/** A second factor that the user can choose. */
export type SecondFactor = 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA';

/** Asks for the password, which is proven by SRP and never sent. */
export interface PasswordStep extends InteractiveStep {
  readonly kind: 'password';
  submit(password: string): Promise<LoginStep>;
}

/** The password was correct, but the user must set a new one. */
export interface NewPasswordStep extends InteractiveStep {
  readonly kind: 'newPassword';
  /** Attributes that the user must provide, without Cognito's prefix. */
  readonly requiredAttributes: readonly string[];
  /** The user's attributes as the service knows them. */
  readonly attributes: Readonly<Record<string, string>>;
  submit(newPassword: string, attributes?: Readonly<Record<string, string>>): Promise<LoginStep>;
}

/** The account waits for its deletion. Every other proof was correct, so the user can keep it. */
export interface KeepAccountStep extends InteractiveStep {
  readonly kind: 'keepAccount';
  /** When the account will be deleted; ISO 8601, UTC. */
  readonly deletionAt: string;
  /** Keeps the account and signs in. */
  keep(): Promise<LoginStep>;
}

/** Asks the user how to start. */
export interface SelectFactorStep extends InteractiveStep {
  readonly kind: 'selectFactor';
  readonly factors: readonly FirstFactor[];
  choose(factor: FirstFactor): Promise<LoginStep>;
}

/** Asks which second factor to use. */
export interface SelectMfaStep extends InteractiveStep {
  readonly kind: 'selectMfa';
  readonly factors: readonly SecondFactor[];
  choose(factor: SecondFactor): Promise<LoginStep>;
}

/** Asks for the code of an authenticator app. */
export interface TotpStep extends InteractiveStep {
  readonly kind: 'totp';
  /** The user's name for the authenticator. */
  readonly authenticator: string | null;
  submit(code: string): Promise<LoginStep>;
  useRecoveryCode(): RecoveryCodeStep;
}

/** Asks for a code that was sent. */
export interface SentCodeStep extends InteractiveStep {
  readonly kind: 'sentCode';
  readonly channel: 'email' | 'sms';
  /** The masked destination; null if the service does not reveal it. */
  readonly destination: string | null;
  readonly isSecondFactor: boolean;
  submit(code: string): Promise<LoginStep>;
  /** Sends another code; null if that would require a new login. It sends nothing before {@link resendAtMs}. */
  readonly resend: (() => Promise<LoginStep>) | null;
  /** When another code can be sent, in milliseconds since 1970 by the client's clock. */
  readonly resendAtMs: number;
  /** Until when the code can be entered, in milliseconds since 1970; null if the service does not tell. */
  readonly expiresAtMs: number | null;
  /** Null if the code is not a second factor. */
  readonly useRecoveryCode: (() => RecoveryCodeStep) | null;
  /** How many more codes this browser can request within the hour. */
  readonly codesLeft: number;
}

/** Asks for a recovery code instead of a second factor's code. */
export interface RecoveryCodeStep extends InteractiveStep {
  readonly kind: 'recoveryCode';
  submit(code: string): Promise<LoginStep>;
  /** Returns to the factor that it replaces. */
  back(): TotpStep | SentCodeStep;
}

/** The user must set up an authenticator app to finish the login. */
export interface SetUpAuthenticatorStep extends InteractiveStep {
  readonly kind: 'setUpAuthenticator';
  /** Base32, for manual entry in an app. Shown only once. */
  readonly secretCode: string;
  /** URL of a QR image. */
  readonly qrCodeUrl: string;
  /** `otpauth://totp/…`, for a link on the same device. */
  readonly uri: string;
  submit(code: string, name?: string): Promise<LoginStep>;
}

/** Asks for a passkey. Call {@link use} from a click handler. */
export interface PasskeyStep extends InteractiveStep {
  readonly kind: 'passkey';
  /** Why the browser returned no passkey last time; null at first. */
  readonly failure: PasskeyFailure | null;
  use(): Promise<LoginStep>;
}

/** A custom challenge that the operator defined. */
export interface CustomStep extends InteractiveStep {
  readonly kind: 'custom';
  /** The parameters that the service shows. */
  readonly parameters: Readonly<Record<string, string>>;
  submit(answer: string): Promise<LoginStep>;
}

/** The device proves itself without user input. The client only reports this step and continues automatically. */
export interface DeviceStep {
  readonly kind: 'device';
  readonly deviceKey: string;
}

/** The claims of a user who has just signed in. */
export type SignedInUser = SessionResponse['user'];

/** The user is logged in. */
export interface DoneStep {
  readonly kind: 'done';
  /** The canonical username. */
  readonly username: string;
  /** The signed-in user, as the ID token describes it. */
  readonly user: SignedInUser;
  /**
   * Registers and remembers this device, so that its next logins need no second factor. Null if it is already remembered, or if the pool
   * does not remember devices.
   * @throws {PoolgateError}
   */
  readonly rememberDevice: ((name?: string) => Promise<void>) | null;
}

/** The login has failed. */
export interface RefusedStep {
  readonly kind: 'refused';
  readonly username: string | null;
  readonly error: PoolgateError;
  /** Starts again in the same way. */
  retry(): Promise<LoginStep>;
}

/** The current step of a login; `kind` narrows it to the possible actions. */
export type LoginStep =
  | PasswordStep
  | NewPasswordStep
  | SelectFactorStep
  | SelectMfaStep
  | TotpStep
  | SentCodeStep
  | RecoveryCodeStep
  | SetUpAuthenticatorStep
  | PasskeyStep
  | CustomStep
  | KeepAccountStep
  | DoneStep
  | RefusedStep;

/** The name of a step that users can see. */
export type StepKind = LoginStep['kind'];

/** The step of the given kind. */
export type StepOf<Kind extends StepKind> = Extract<LoginStep, { readonly kind: Kind }>;
