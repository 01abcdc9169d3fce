import { createDevices, type Devices } from './account/account-devices.ts';
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
import type { CurrentLogin, LoginDependencies, LoginParameters } from './login/steps/login-run.ts';
import { memoizeAsync } from './memoize-async.ts';
import { createTabExclusiveRunner } from './modes/exclusive-runner.ts';
import { createSessionMode, type Session, type SessionMode } from './modes/session-mode.ts';
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

/** How a client is made. All of it can be left out in a page of the service's own site. */
export interface ClientOptions {
  /** Of the service, e.g. `https://auth.example.com`. Left out: the origin of the page. */
  readonly baseUrl?: string;
  /**
   * `session`: the service keeps the tokens, and the browser a cookie that no script can read. `tokens`: the program keeps them. Left
   * out: `session` in a page of the service's own origin, else `tokens`.
   */
  readonly mode?: 'session' | 'tokens';
  /** Where tokens are kept. Left out: in memory. */
  readonly storage?: TokenStorage;
  /** Where the secrets of devices are kept. Left out: in IndexedDB, encrypted under a key that cannot be read out; else in memory. */
  readonly devices?: DeviceVault;
  /** Where `srp-worker.js` of this package lies, for bundlers that do not carry it along. Of the page's own origin. */
  readonly workerUrl?: string;
  /** What stands before the paths of routes. Left out: `/cognito` for sessions, `/api/cognito` for tokens. */
  readonly prefix?: string;
  /**
   * Refuses further passwords, such as the name of your company. The lists of common and leaked passwords of the service are looked up in
   * any case. Left out: refuses none.
   */
  readonly isCommonPassword?: (password: string) => boolean | Promise<boolean>;
  /** What `parameters()` of the client would ask for, where the program has it already, e.g. out of its page. */
  readonly parameters?: LoginParameters;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970. Left out: the clock of the machine, set right by the service where that is far off. */
  readonly now?: () => number;
}

/** What every client can do. */
interface BaseClient {
  readonly login: Login;
  /** Proves again who is logged in, for what asks for a recent login (`reauthentication_required`). */
  readonly reauthenticate: Reauthentication;
  readonly signUp: SignUp;
  readonly password: Passwords;
  readonly profile: Profile;
  readonly mfa: Mfa;
  readonly passkeys: Passkeys;
  readonly devices: Devices;
  readonly sessions: Sessions;
  /** The public facts of the service, asked for once. @throws {PoolgateError} */
  parameters(): Promise<LoginParameters>;
  /** Ends this login, here and at the service. @throws {PoolgateError} */
  logOut(): Promise<void>;
  /** Tells of logins and logouts; gives what ends that. */
  onChange(listener: () => void): () => void;
}

/** A client whose user's tokens the program holds. */
export interface TokensClient extends BaseClient {
  readonly mode: 'tokens';
  /** Good tokens, refreshed where they are about to expire; null where nobody is logged in. @throws {PoolgateError} */
  tokens(): Promise<Tokens | null>;
}

/** A client whose user has a browser session. */
export interface SessionClient extends BaseClient {
  readonly mode: 'session';
  /**
   * The session, as the service shows it now.
   * @param returnTo where a page wants to send the browser after the login: the session tells whether it may
   * @throws {PoolgateError}
   */
  session(returnTo?: string): Promise<Session>;
}

/** A client of one service; `mode` tells which kind it is. */
export type Client = TokensClient | SessionClient;

/** Makes a client. It asks the service nothing until it must. */
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

/** A cookie of the service reaches it from pages of its own origin only. */
function chooseMode({ mode, baseUrl }: ClientOptions): Client['mode'] {
  if (mode !== undefined) return mode;
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location;
  const isOwnPage = page !== undefined && new URL(baseUrl ?? '', page.origin).origin === page.origin;
  return isOwnPage ? 'session' : 'tokens';
}

function createSessionClient(parts: ClientParts, onChange: Client['onChange']): SessionClient {
  const { options, where } = parts;
  const { prefix = '/cognito' } = options;
  const mode: SessionMode = createSessionMode({
    prefix,
    load: (returnTo) => transport.send('webSession', returnTo === undefined ? {} : { query: { return_to: returnTo } }),
    onChange: parts.onChange,
  });
  const transport = createTransport(where, mode);
  return {
    mode: 'session',
    ...createClientApis(parts, transport, { keeper: mode, stepUpRoute: 'webStepUp' }),
    session: mode.current,
    onChange,
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
    ...createClientApis(parts, transport, { keeper: mode, stepUpRoute: 'loginAnswer' }),
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

function createClientApis(
  { options, now }: ClientParts,
  transport: Transport,
  { keeper, stepUpRoute }: { readonly keeper: CurrentLogin; readonly stepUpRoute: LoginDependencies['stepUpRoute'] },
) {
  const parameters = memoizeAsync(async () => options.parameters ?? transport.send('loginParameters'));
  const dependencies: LoginDependencies = {
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
  };
  return {
    parameters,
    login: createLogin(dependencies),
    reauthenticate: createReauthentication(dependencies),
    signUp: createSignUp(dependencies),
    password: createPasswords(dependencies),
    profile: createProfile(dependencies),
    mfa: createMfa(dependencies),
    passkeys: createPasskeys(dependencies),
    devices: createDevices(dependencies),
    sessions: createSessions(dependencies),
  };
}

function createSrpRunner({ workerUrl }: ClientOptions): PrecomputedSrp {
  const start = createWorkerStarter(workerUrl);
  return createPrecomputedSrp(
    start === undefined ? createSlicedRunner() : createWorkerRunner(start, createSlicedRunner()),
  );
}
