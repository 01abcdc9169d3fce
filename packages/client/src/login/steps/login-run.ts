/**
 * The steps of a login, a file for each kind of challenge. A step holds what the user has to enter and a method that answers. `login-run`
 * is the state that all steps share.
 */
import type { DeviceVault, RememberedDevice } from '../../devices/device-vault.ts';
import type { BrowserPasskeys } from '../../passkeys/browser-passkeys.ts';
import type { PrecomputedSrp } from '../../srp/precomputed-srp.ts';
import type { SrpStart } from '../../srp/srp-tasks.ts';
import type { LoginResponse, LoginSuccess, NextChallenge } from '../../transport/login-responses.ts';
import type { RouteBody, RouteResponse } from '../../transport/routes.ts';
import type { Transport } from '../../transport/transport.ts';
import type { DeviceStep, LoginStep } from './login-steps.ts';

/** The public facts of the service. */
export type LoginParameters = RouteResponse<'loginParameters'>;

/** What takes a finished login over. */
export interface CurrentLogin {
  /** Asks the service for what every login needs, if for anything. @throws {PoolgateError} */
  prepare(): Promise<unknown>;
  /** Keeps what the service gave; gives the canonical user name. */
  accept(success: LoginSuccess): Promise<string>;
  /** The device of this login is registered. */
  setDevice(deviceKey: string): Promise<void>;
  /** The canonical name of the user who is logged in; null where nobody is. @throws {PoolgateError} */
  username(): Promise<string | null>;
  /** The login has ended: nothing of it is kept. */
  drop(): Promise<void>;
}

/** What a login needs. */
export interface LoginDependencies extends PrecomputedSrp {
  readonly transport: Transport;
  readonly devices: DeviceVault;
  readonly passkeys: BrowserPasskeys;
  /** Whether a password is among those that everybody uses, as far as the program knows. */
  readonly isCommonPassword: (password: string) => boolean | Promise<boolean>;
  readonly keeper: CurrentLogin;
  /** Where the answer to a challenge goes. */
  readonly answerRoute: 'loginAnswer' | 'webStepUp';
  /** Where it goes if the user who is logged in proves itself again. */
  readonly stepUpRoute: 'loginAnswer' | 'webStepUp';
  /** Milliseconds since 1970, as near as possible to those of the service. */
  readonly now: () => number;
  readonly parameters: () => Promise<LoginParameters>;
  /** The sessions of the registrations that this client made, by the names in lower case. */
  readonly registrations: Map<string, string>;
}

/** How a login is to be. */
export interface LoginOptions {
  /** With a browser session: it outlives the browser. */
  readonly staySignedIn?: boolean;
  /** Told of the step that needs nobody. */
  readonly onDevice?: (step: DeviceStep) => void;
}

/** A challenge that waits. */
export interface PendingChallenge {
  readonly name: string;
  readonly session: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly available: readonly string[];
  /** Whether the login began with it. */
  readonly isFirst: boolean;
}

/** What a password login knows while it goes on. */
export interface PasswordProof {
  readonly password: string;
  readonly start: SrpStart;
}

/** What is done differently the next time. */
export interface RetryOptions {
  /** True: the service did not take the device's proof, so that the login names none. */
  readonly withoutDevice?: boolean;
  /** True: the password was not that of the registration whose session went along, so that the login has none. */
  readonly withoutRegistration?: boolean;
}

/** One login, from its start to its end. Each step gets its own copy. */
export interface LoginRun extends LoginDependencies, RetryOptions {
  readonly options: LoginOptions;
  /** As typed; undefined in a login without one. */
  readonly username: string | undefined;
  /** Begins again in the same way, asking the user anew. */
  readonly retry: () => Promise<LoginStep>;
  /** Does again, without asking the user, what led to the pending challenge; undefined where that cannot be. */
  readonly repeat?: (changes?: RetryOptions) => Promise<LoginStep>;
  readonly proof?: PasswordProof;
  /** The device that this login names. */
  readonly device?: RememberedDevice;
  /** The canonical user name, once it is known. */
  readonly userIdForSrp?: string;
  /** What an answer of the service leads to. */
  readonly advance: (run: LoginRun, answer: LoginResponse | PendingChallenge) => Promise<LoginStep>;
}

/** The value of an answer to a challenge. */
export type ChallengeValue = RouteBody<'loginAnswer'>['challenge_value'];

/** Answers a challenge, and goes on with what follows. @throws {PoolgateError} */
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

/** The member that asks for a session that outlives the browser. */
function toStaySignedInBody({ staySignedIn }: LoginOptions): { readonly stay_signed_in?: true } {
  return staySignedIn ? { stay_signed_in: true } : {};
}

/** A challenge out of an answer. */
export function toPendingChallenge({
  challenge_name,
  session,
  challenge_params,
  ...rest
}: NextChallenge): PendingChallenge {
  const available = rest.available_challenges ?? [];
  return { name: challenge_name, session, parameters: challenge_params, available, isFirst: false };
}

/** A challenge out of an answer of the choice-based routes. */
export function toFirstChallenge(step: RouteResponse<'passkeyChallenges'>): PendingChallenge {
  return {
    name: step.ChallengeName,
    session: step.Session,
    parameters: step.ChallengeParameters,
    available: step.AvailableChallenges,
    isFirst: true,
  };
}
