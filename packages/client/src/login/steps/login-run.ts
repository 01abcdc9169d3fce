/**
 * The steps of a login, with a file for each kind of challenge. A step has the data for the user and the methods that answer. `login-run`
 * is the state that all steps share.
 */
import type { DeviceVault, RememberedDevice } from '../../devices/device-vault.ts';
import type { BrowserPasskeys } from '../../passkeys/browser-passkeys.ts';
import type { PrecomputedSrp } from '../../srp/precomputed-srp.ts';
import type { SrpStart } from '../../srp/srp-tasks.ts';
import type { LoginResponse, LoginSuccess, NextChallenge } from '../../transport/login-responses.ts';
import type { RouteBody, RouteResponse } from '../../transport/routes.ts';
import type { Transport } from '../../transport/transport.ts';
import type { DeviceStep, LoginStep, SignedInUser } from './login-steps.ts';

/** The public parameters of the service. */
export type LoginParameters = RouteResponse<'loginParameters'>;

/** Stores a finished login. */
export interface CurrentLogin {
  /** Fetches what every login needs, if anything. @throws {PoolgateError} */
  prepare(): Promise<unknown>;
  /** Stores the result of a login and returns its user. */
  accept(success: LoginSuccess): Promise<SignedInUser>;
  /** Sets the key of the login's registered device. */
  setDevice(deviceKey: string): Promise<void>;
  /** The canonical username of the signed-in user; null if no user is signed in. @throws {PoolgateError} */
  username(): Promise<string | null>;
  /** Deletes everything that was stored, after the login has ended. */
  drop(): Promise<void>;
}

/** The dependencies of a login. */
export interface LoginDependencies extends PrecomputedSrp {
  readonly transport: Transport;
  readonly devices: DeviceVault;
  readonly passkeys: BrowserPasskeys;
  /** Whether the program considers a password too common. */
  readonly isCommonPassword: (password: string) => boolean | Promise<boolean>;
  readonly keeper: CurrentLogin;
  /** The route that receives challenge responses. */
  readonly answerRoute: 'loginAnswer' | 'webStepUp';
  /** The route that receives them while the signed-in user reauthenticates. */
  readonly stepUpRoute: 'loginAnswer' | 'webStepUp';
  /** Milliseconds since 1970, as close as possible to the service's clock. */
  readonly now: () => number;
  readonly parameters: () => Promise<LoginParameters>;
  /** The sessions of the registrations that this client made, by lowercase username. */
  readonly registrations: Map<string, string>;
  /** When codes were sent, in milliseconds since 1970, by what asked for them. */
  readonly sentCodes: Map<string, readonly number[]>;
}

/** Options of a login. */
export interface LoginOptions {
  /** Session mode only: the session outlives the browser. */
  readonly staySignedIn?: boolean;
  /** Called with the step that needs no input. */
  readonly onDevice?: (step: DeviceStep) => void;
}

/** A challenge that waits for a response. */
export interface PendingChallenge {
  readonly name: string;
  readonly session: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly available: readonly string[];
  /** Whether the login started with it. */
  readonly isFirst: boolean;
  /** In milliseconds since 1970, if it began before this page was loaded. */
  readonly times?: { readonly startedAtMs: number; readonly expiresAtMs: number; readonly codesSent: number };
}

/** The state of a password login. */
export interface PasswordProof {
  readonly password: string;
  readonly start: SrpStart;
}

/** The authentication level that a step-up must reach. */
export interface RequestedLevel {
  /** Names of levels with spaces between them, the best one first. */
  readonly acrValues: string;
  /** After this number of seconds, the earlier sign-in counts for nothing. Default: it always counts. */
  readonly maxAgeSeconds?: number;
}

/** How a repeated login differs. */
export interface RetryOptions {
  /** True if the service rejected the device's proof, so the repeated login names no device. */
  readonly withoutDevice?: boolean;
  /** True if the password did not match the registration whose session was sent, so the repeated login sends none. */
  readonly withoutRegistration?: boolean;
}

/** The state of one login from start to end. Each step gets its own copy. */
export interface LoginRun extends LoginDependencies, RetryOptions {
  readonly options: LoginOptions;
  /** As typed; undefined for a login without a username. */
  readonly username: string | undefined;
  /** The level that this login must reach; undefined if none was requested. */
  readonly level?: RequestedLevel;
  /** Starts the same login again and asks the user for new input. */
  readonly retry: () => Promise<LoginStep>;
  /** Repeats, without asking the user, the steps that led to the pending challenge; undefined if that is impossible. */
  readonly repeat?: (changes?: RetryOptions) => Promise<LoginStep>;
  readonly proof?: PasswordProof;
  /** The device that this login names. */
  readonly device?: RememberedDevice;
  /** The canonical username, once it is known. */
  readonly userIdForSrp?: string;
  /** Returns the step that follows a response. */
  readonly advance: (run: LoginRun, answer: LoginResponse | PendingChallenge) => Promise<LoginStep>;
}

/** The value of a challenge response. */
export type ChallengeValue = RouteBody<'loginAnswer'>['challenge_value'];

/** Answers a challenge and continues with the result. @throws {PoolgateError} */
export async function answerChallenge(
  run: LoginRun,
  challenge: PendingChallenge,
  value?: ChallengeValue,
): Promise<LoginStep> {
  const body = {
    challenge_name: challenge.name,
    session: challenge.session,
    ...(run.username === undefined ? {} : { username: run.username }),
    ...(value === undefined ? {} : { challenge_value: value }),
    ...toStaySignedInBody(run.options),
  };
  return run.advance(run, await run.transport.send(run.answerRoute, { body }));
}

/** The body member that requests a session which outlives the browser. */
function toStaySignedInBody({ staySignedIn }: LoginOptions): { readonly stay_signed_in?: true } {
  return staySignedIn ? { stay_signed_in: true } : {};
}

/** Creates a pending challenge from a response. */
export function toPendingChallenge({
  challenge_name,
  session,
  challenge_params,
  ...rest
}: NextChallenge): PendingChallenge {
  const available = rest.available_challenges ?? [];
  return { name: challenge_name, session, parameters: challenge_params, available, isFirst: false };
}

/** Creates a pending challenge from a response of the choice-based routes. */
export function toFirstChallenge(step: RouteResponse<'passkeyChallenges'>): PendingChallenge {
  return {
    name: step.ChallengeName,
    session: step.Session,
    parameters: step.ChallengeParameters,
    available: step.AvailableChallenges,
    isFirst: true,
  };
}
