import { type Applications, createApplications } from './account/account-applications.ts';
import { createDevices, type Devices } from './account/account-devices.ts';
import { createIdentities, type Identities, type SessionIdentities } from './account/account-identities.ts';
import { createMfa, type Mfa } from './account/account-mfa.ts';
import { createPasskeys, type Passkeys } from './account/account-passkeys.ts';
import { createPasswords, type Passwords } from './account/account-password.ts';
import { createProfile, type Profile } from './account/account-profile.ts';
import { createSessions, type Sessions } from './account/account-sessions.ts';
import { createSignUp, type SignUp } from './account/sign-up.ts';
import { createDefaultVault } from './devices/default-vault.ts';
import type { DeviceVault } from './devices/device-vault.ts';
import { createLogin, type Login } from './login/login.ts';
import { createReauthentication, type Reauthentication } from './login/reauthentication.ts';
import type { LoginDependencies, LoginParameters } from './login/steps/login-run.ts';
import { findUnfinished, type Unfinished } from './login/unfinished.ts';
import { memoizeAsync } from './memoize-async.ts';
import { createTabExclusiveRunner } from './modes/exclusive-runner.ts';
import { createSessionMode, type Session, type SessionMode } from './modes/session-mode.ts';
import { createTabChannel } from './modes/tab-channel.ts';
import {
  createTokensMode,
  memoryStorage,
  type TokenStorage,
  type Tokens,
  type TokensMode,
} from './modes/tokens-mode.ts';
import { createBrowserPasskeys } from './passkeys/browser-passkeys.ts';
import { createServiceClock } from './service-clock.ts';
import { createPrecomputedSrp, type PrecomputedSrp } from './srp/precomputed-srp.ts';
import { createSlicedRunner } from './srp/sliced-runner.ts';
import { createWorkerStarter } from './srp/start-worker.ts';
import { createWorkerRunner } from './srp/worker-runner.ts';
import { createTransport, type Transport, type TransportOptions } from './transport/transport.ts';

/** Options of a client. All are optional on a page of the service's own site. */
export interface ClientOptions {
  /** The base URL of the service, such as `https://auth.example.com`. Default: the origin of the page. */
  readonly baseUrl?: string;
  /**
   * `session`: the service stores the tokens, and the browser holds a cookie that scripts cannot read. `tokens`: the program stores the
   * tokens. Default: `session` on a page of the service's origin, otherwise `tokens`.
   */
  readonly mode?: 'session' | 'tokens';
  /** The token storage. Default: memory. */
  readonly storage?: TokenStorage;
  /** The storage of device secrets. Default: IndexedDB, encrypted with a non-extractable key, or memory if it is unavailable. */
  readonly devices?: DeviceVault;
  /** The URL of this package's `srp-worker.js`, for bundlers that do not include it. It must have the page's origin. */
  readonly workerUrl?: string;
  /** The path prefix of the routes. Default: `/cognito` for sessions, `/api/cognito` for tokens. */
  readonly prefix?: string;
  /**
   * Rejects further passwords, such as your company's name. The service's lists of common and leaked passwords always apply. Default:
   * rejects none.
   */
  readonly isCommonPassword?: (password: string) => boolean | Promise<boolean>;
  /** The response of `parameters()`, if the program already has it, for example embedded in its page. */
  readonly parameters?: LoginParameters;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970. Default: the machine's clock, corrected by the service's clock if it is far off. */
  readonly now?: () => number;
}

/** The methods of every client. */
interface BaseClient {
  readonly login: Login;
  /** Verifies the signed-in user again, for operations that require a recent login (`reauthentication_required`). */
  readonly reauthenticate: Reauthentication;
  readonly signUp: SignUp;
  readonly password: Passwords;
  readonly profile: Profile;
  readonly mfa: Mfa;
  readonly passkeys: Passkeys;
  readonly devices: Devices;
  readonly sessions: Sessions;
  readonly applications: Applications;
  readonly identities: Identities;
  /** Returns the public parameters of the service, which are fetched once. @throws {PoolgateError} */
  parameters(): Promise<LoginParameters>;
  /** Ends this login, both locally and at the service. @throws {PoolgateError} */
  logOut(): Promise<void>;
  /**
   * Calls the listener after each login and logout, and with a browser session also after those in other tabs. Returns a function that
   * unsubscribes it.
   */
  onChange(listener: () => void): () => void;
}

/** A client whose program stores the user's tokens. */
export interface TokensClient extends BaseClient {
  readonly mode: 'tokens';
  /** Returns valid tokens, refreshed if they are about to expire; null if no user is signed in. @throws {PoolgateError} */
  tokens(): Promise<Tokens | null>;
}

/** A client with a browser session. */
export interface SessionClient extends BaseClient {
  readonly mode: 'session';
  readonly identities: SessionIdentities;
  /**
   * Returns the current session from the service.
   * @param returnTo the URL to open after login; the session tells whether it is allowed
   * @throws {PoolgateError}
   */
  session(returnTo?: string): Promise<Session>;
  /** What this browser began last and has not finished, for a page that was reloaded; null if there is nothing. @throws {PoolgateError} */
  unfinished(): Promise<Unfinished | null>;
}

/** A client of one service; `mode` tells which kind it is. */
export type Client = TokensClient | SessionClient;

/** Creates a client. It sends no request until one is needed. */
export function createClient(options: ClientOptions & { readonly mode: 'tokens' }): TokensClient;
export function createClient(options: ClientOptions & { readonly mode: 'session' }): SessionClient;
export function createClient(options?: ClientOptions): Client;
export function createClient(options: ClientOptions = {}): Client {
  const listeners = new Set<() => void>();
  const clock = createServiceClock();
  const parts: ClientParts = {
    options,
    where: {
      baseUrl: options.baseUrl ?? '',
      fetch: options.fetch ?? ((...sent) => globalThis.fetch(...sent)),
      onDate: clock.onDate,
    },
    now: options.now ?? clock.now,
    onChange: () => {
      for (const listener of listeners) listener();
    },
  };
  const onChange: Client['onChange'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return chooseMode(options) === 'session' ? createSessionClient(parts, onChange) : createTokensClient(parts, onChange);
}

interface ClientParts {
  readonly options: ClientOptions;
  readonly where: TransportOptions;
  readonly now: () => number;
  readonly onChange: () => void;
}

/** Browsers send the service's cookie only from pages of the same origin. */
function chooseMode({ mode, baseUrl }: ClientOptions): Client['mode'] {
  if (mode !== undefined) return mode;
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location;
  const isOwnPage = page !== undefined && new URL(baseUrl ?? '', page.origin).origin === page.origin;
  return isOwnPage ? 'session' : 'tokens';
}

function createSessionClient(parts: ClientParts, onChange: Client['onChange']): SessionClient {
  const { options, where } = parts;
  const { prefix = '/cognito' } = options;
  const tabs = createTabChannel(`poolgate ${where.baseUrl}${prefix}`);
  const mode: SessionMode = createSessionMode({
    prefix,
    load: (returnTo) => transport.send('webSession', returnTo === undefined ? {} : { query: { return_to: returnTo } }),
    onChange: () => {
      parts.onChange();
      tabs.announce();
    },
  });
  const transport = createTransport(where, mode);
  const dependencies = createDependencies(parts, transport, { keeper: mode, stepUpRoute: 'webStepUp' });
  return {
    mode: 'session',
    ...createClientApis(dependencies),
    session: mode.current,
    unfinished: () => findUnfinished(dependencies),
    onChange(listener) {
      const unsubscribe = onChange(listener);
      const stopListening = tabs.listen(() => {
        mode.forget();
        listener();
      });
      return () => {
        unsubscribe();
        stopListening();
      };
    },
    async logOut() {
      await transport.send('logout');
      await mode.drop();
    },
  };
}

function createTokensClient(parts: ClientParts, onChange: Client['onChange']): TokensClient {
  const { options, where, now } = parts;
  const mode: TokensMode = createTokensMode({
    prefix: options.prefix ?? '/api/cognito',
    storage: options.storage ?? memoryStorage(),
    now,
    lock: createTabExclusiveRunner(`poolgate-refresh ${where.baseUrl}`),
    refresh: (body) => transport.send('tokenRefresh', { body }),
    onChange: parts.onChange,
  });
  const transport = createTransport(where, mode);
  return {
    mode: 'tokens',
    ...createClientApis(createDependencies(parts, transport, { keeper: mode, stepUpRoute: 'loginAnswer' })),
    tokens: mode.current,
    onChange,
    async logOut() {
      const tokens = await mode.current();
      if (tokens === null) return;
      await transport.send('logout', { body: { refresh_token: tokens.refreshToken } });
      await mode.drop();
    },
  };
}

function createDependencies(
  { options, now }: ClientParts,
  transport: Transport,
  { keeper, stepUpRoute }: Pick<LoginDependencies, 'keeper' | 'stepUpRoute'>,
): LoginDependencies {
  const parameters = memoizeAsync(async () => options.parameters ?? transport.send('loginParameters'));
  return {
    transport,
    keeper,
    stepUpRoute,
    answerRoute: 'loginAnswer',
    parameters,
    now,
    ...createSrpRunner(options),
    devices: options.devices ?? createDefaultVault(),
    passkeys: createBrowserPasskeys(),
    isCommonPassword: options.isCommonPassword ?? (() => false),
    registrations: new Map(),
    sentCodes: new Map(),
  };
}

function createClientApis(dependencies: LoginDependencies) {
  return {
    parameters: dependencies.parameters,
    login: createLogin(dependencies),
    reauthenticate: createReauthentication(dependencies),
    signUp: createSignUp(dependencies),
    password: createPasswords(dependencies),
    profile: createProfile(dependencies),
    mfa: createMfa(dependencies),
    passkeys: createPasskeys(dependencies),
    devices: createDevices(dependencies),
    sessions: createSessions(dependencies),
    applications: createApplications(dependencies),
    identities: createIdentities(dependencies),
  };
}

function createSrpRunner({ workerUrl }: ClientOptions): PrecomputedSrp {
  const start = createWorkerStarter(workerUrl);
  return createPrecomputedSrp(
    start === undefined ? createSlicedRunner() : createWorkerRunner(start, createSlicedRunner()),
  );
}
