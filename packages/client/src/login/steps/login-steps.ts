import type { PasskeyFailure } from '../../passkeys/passkey-failure.ts';
import type { PoolgateError } from '../../transport/poolgate-error.ts';

/** What every step that waits for the user has. */
interface InteractiveStep {
  /** As it was typed; null in a login that began without one. */
  readonly username: string | null;
  /** Why the answer before was not taken; null at first. The step can be answered again. */
  readonly error: PoolgateError | null;
}

/** What a login may begin with. */
export type FirstFactor = 'PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN';

/** A second factor that may be chosen. */
export type SecondFactor = 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA';

/** Asks for the password. It is proven by SRP and never sent. */
export interface PasswordStep extends InteractiveStep {
  readonly kind: 'password';
  submit(password: string): Promise<LoginStep>;
}

/** The password was right, but a new one must be set. */
export interface NewPasswordStep extends InteractiveStep {
  readonly kind: 'newPassword';
  /** Attributes that must be given along, without the prefix that Cognito puts before them. */
  readonly requiredAttributes: readonly string[];
  /** What the service knows of the user. */
  readonly attributes: Readonly<Record<string, string>>;
  submit(newPassword: string, attributes?: Readonly<Record<string, string>>): Promise<LoginStep>;
}

/** Asks how the user wants to begin. */
export interface SelectFactorStep extends InteractiveStep {
  readonly kind: 'selectFactor';
  readonly factors: readonly FirstFactor[];
  choose(factor: FirstFactor): Promise<LoginStep>;
}

/** Asks which second factor is used. */
export interface SelectMfaStep extends InteractiveStep {
  readonly kind: 'selectMfa';
  readonly factors: readonly SecondFactor[];
  choose(factor: SecondFactor): Promise<LoginStep>;
}

/** Asks for the code of an authenticator app. */
export interface TotpStep extends InteractiveStep {
  readonly kind: 'totp';
  /** What the user called the authenticator. */
  readonly authenticator: string | null;
  submit(code: string): Promise<LoginStep>;
  useRecoveryCode(): RecoveryCodeStep;
}

/** Asks for a code that was sent. */
export interface SentCodeStep extends InteractiveStep {
  readonly kind: 'sentCode';
  readonly channel: 'email' | 'sms';
  /** Where it went, masked; null where the service does not tell. */
  readonly destination: string | null;
  readonly isSecondFactor: boolean;
  submit(code: string): Promise<LoginStep>;
  /** Sends another code; null where the login would have to begin again. Before {@link resendAtMs} nothing is sent. */
  readonly resend: (() => Promise<LoginStep>) | null;
  /** From when on another code is sent, in milliseconds since 1970 by the client's clock. */
  readonly resendAtMs: number;
  /** Null where the code is no second factor. */
  readonly useRecoveryCode: (() => RecoveryCodeStep) | null;
}

/** Asks for a recovery code in place of a second factor's code. */
export interface RecoveryCodeStep extends InteractiveStep {
  readonly kind: 'recoveryCode';
  submit(code: string): Promise<LoginStep>;
  /** Back to the factor that it stands in for. */
  back(): TotpStep | SentCodeStep;
}

/** An authenticator app must be set up before the login is complete. */
export interface SetUpAuthenticatorStep extends InteractiveStep {
  readonly kind: 'setUpAuthenticator';
  /** Base32, to be typed into an app. Shown this once. */
  readonly secretCode: string;
  /** URL of a QR image. */
  readonly qrCodeUrl: string;
  /** `otpauth://totp/…`, for a link on the same device. */
  readonly uri: string;
  submit(code: string, name?: string): Promise<LoginStep>;
}

/** Asks for a passkey: call {@link use} from the handler of a click. */
export interface PasskeyStep extends InteractiveStep {
  readonly kind: 'passkey';
  /** Why the browser gave none the last time; null at first. */
  readonly failure: PasskeyFailure | null;
  use(): Promise<LoginStep>;
}

/** A challenge of the operator's own making. */
export interface CustomStep extends InteractiveStep {
  readonly kind: 'custom';
  /** What the service shows of it. */
  readonly parameters: Readonly<Record<string, string>>;
  submit(answer: string): Promise<LoginStep>;
}

/** The device proves itself. It needs nobody: the machine only reports it, and goes on by itself. */
export interface DeviceStep {
  readonly kind: 'device';
  readonly deviceKey: string;
}

/** The user is logged in. */
export interface DoneStep {
  readonly kind: 'done';
  /** The canonical user name. */
  readonly username: string;
  /**
   * Registers this device and has it remembered, so that its next logins need no second factor; null where it is already, or the pool
   * remembers none.
   * @throws {PoolgateError}
   */
  readonly rememberDevice: ((name?: string) => Promise<void>) | null;
}

/** The login has ended without success. */
export interface RefusedStep {
  readonly kind: 'refused';
  readonly username: string | null;
  readonly error: PoolgateError;
  /** Begins again in the same way. */
  retry(): Promise<LoginStep>;
}

/** Where a login stands: `kind` narrows it to what can be done next. */
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
  | DoneStep
  | RefusedStep;

/** The name of a step that somebody sees. */
export type StepKind = LoginStep['kind'];

/** The step of one kind. */
export type StepOf<Kind extends StepKind> = Extract<LoginStep, { readonly kind: Kind }>;
