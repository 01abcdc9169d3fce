/** A second factor, by the name of its challenge. */
export type MfaMethod = 'SOFTWARE_TOKEN_MFA' | 'SMS_MFA' | 'EMAIL_OTP';

/** What a login still needs after its first factor. */
export type Owed = 'nothing' | MfaMethod | 'choice' | 'set-up';

/** The challenges of a login, by their names at the Cognito-compatible API. */
export type Asked =
  | MfaMethod
  | 'CUSTOM_CHALLENGE'
  | 'DEVICE_PASSWORD_VERIFIER'
  | 'DEVICE_SRP_AUTH'
  | 'MFA_SETUP'
  | 'NEW_PASSWORD_REQUIRED'
  | 'PASSWORD_VERIFIER'
  | 'SELECT_CHALLENGE'
  | 'SELECT_MFA_TYPE'
  | 'SMS_OTP';

/** The state of a login. */
export type LoginState = 'none' | Asked | 'authenticated' | 'refused' | 'refused by a trigger';

/** What the trigger that decides the order of a login wants next. */
export type Defined = 'CUSTOM_CHALLENGE' | 'PASSWORD_VERIFIER' | 'tokens' | 'failure';

/** The requests that advance a login. An answer can use any of its three paths. */
export type LoginTrigger =
  | 'POST /login'
  | 'POST /login/srp'
  | 'POST /login/custom'
  | 'GET /login/passkey/challenge'
  | 'GET /login/passkey/challenge/<challenge_name>'
  | 'answer';

/** Everything that decides the next state of a login, including the answer of this step. */
export interface LoginFacts {
  readonly from: LoginState;
  readonly trigger: LoginTrigger;
  /** The choice in the request, if any. */
  readonly chosen?: Asked;
  /** Nothing was proven before this step. */
  readonly isFirstProof: boolean;
  readonly mustChangePassword: boolean;
  /** The login named a device that was remembered at the time. */
  readonly isBoundToDevice: boolean;
  /** That device is still remembered, under the same password. */
  readonly isDeviceTrusted: boolean;
  readonly isDeviceProven: boolean;
  /** `ChallengeRequiredOnNewDevice`: the proof of a remembered device replaces the second factor. */
  readonly deviceReplacesMfa: boolean;
  readonly owed: Owed;
  /** What triggers want next, if they decide the order of this login and have not accepted it before. */
  readonly defined?: Defined | undefined;
  /** A trigger refuses everything that would end in tokens. */
  readonly areTokensRefused?: boolean;
}

/** A row of the table. */
interface Row {
  /** `T…` is a transition that Poolgate promises, `N…` one of Cognito's next steps. */
  readonly id: string;
  readonly from: string;
  readonly trigger: string;
  readonly condition: string;
  readonly to: string;
  readonly effect: string;
}

/** A row about logins, with a computable condition. */
export interface LoginRow extends Row {
  readonly subject: 'Login';
  readonly to: LoginState | 'the chosen challenge';
  readonly holds: (facts: LoginFacts) => boolean;
}

const starts = (facts: LoginFacts, trigger: LoginTrigger): boolean =>
  facts.from === 'none' && facts.trigger === trigger;

const PROVING: ReadonlySet<LoginState> = new Set<LoginState>([
  'DEVICE_PASSWORD_VERIFIER',
  'EMAIL_OTP',
  'MFA_SETUP',
  'NEW_PASSWORD_REQUIRED',
  'PASSWORD_VERIFIER',
  'SMS_MFA',
  'SMS_OTP',
  'SOFTWARE_TOKEN_MFA',
]);

/** This step proved a factor: a password at once, or the answer to a challenge. */
const provesFactor = (facts: LoginFacts): boolean =>
  facts.defined === undefined &&
  (starts(facts, 'POST /login') || (facts.trigger === 'answer' && PROVING.has(facts.from)));

/** The same, or the triggers accept the login. */
const proves = (facts: LoginFacts): boolean => provesFactor(facts) || facts.defined === 'tokens';

/** The same, and nothing comes before the second factor. */
const passes = (facts: LoginFacts): boolean =>
  proves(facts) && !facts.mustChangePassword && (!facts.isBoundToDevice || facts.isDeviceTrusted);

const asksDeviceFirst = (facts: LoginFacts): boolean =>
  passes(facts) && facts.isDeviceTrusted && facts.deviceReplacesMfa && !facts.isDeviceProven;

const owes = (facts: LoginFacts, owed: Owed): boolean =>
  passes(facts) && !asksDeviceFirst(facts) && facts.owed === owed;

const asksDeviceLast = (facts: LoginFacts): boolean =>
  owes(facts, 'nothing') && facts.isDeviceTrusted && !facts.isDeviceProven;

const isProven = (facts: LoginFacts): boolean => owes(facts, 'nothing') && !asksDeviceLast(facts);

const isDone = (facts: LoginFacts): boolean => isProven(facts) && facts.areTokensRefused !== true;

const answers = (facts: LoginFacts, from: LoginState): boolean => facts.trigger === 'answer' && facts.from === from;

const TOKENS = 'access, refresh and id tokens returned';
const ANSWER = 'POST /login/auth-challenge';

/** The rows about logins. For every allowed request, the condition of exactly one row holds. */
const LOGIN_ROWS = [
  {
    id: 'T05',
    subject: 'Login',
    from: 'none',
    trigger: 'POST /login',
    condition: 'MFA active for user',
    to: 'SOFTWARE_TOKEN_MFA',
    effect: 'challenge and session returned',
    holds: (facts) => starts(facts, 'POST /login') && owes(facts, 'SOFTWARE_TOKEN_MFA'),
  },
  {
    id: 'T06',
    subject: 'Login',
    from: 'none',
    trigger: 'POST /login with device_key',
    condition: 'key valid, credentials correct',
    to: 'DEVICE_SRP_AUTH',
    effect: 'challenge parameters returned',
    holds: (facts) => starts(facts, 'POST /login') && asksDeviceFirst(facts),
  },
  {
    id: 'T07',
    subject: 'Login',
    from: 'DEVICE_SRP_AUTH',
    trigger: ANSWER,
    condition: 'SRP_A accepted',
    to: 'DEVICE_PASSWORD_VERIFIER',
    effect: 'salt, secret block, SRP_B returned',
    holds: (facts) => answers(facts, 'DEVICE_SRP_AUTH'),
  },
  {
    id: 'T08',
    subject: 'Login',
    from: 'DEVICE_PASSWORD_VERIFIER',
    trigger: ANSWER,
    condition: 'proof correct',
    to: 'authenticated',
    effect: TOKENS,
    holds: (facts) => answers(facts, 'DEVICE_PASSWORD_VERIFIER') && isDone(facts),
  },
  {
    id: 'T09',
    subject: 'Login',
    from: 'none',
    trigger: 'POST /login/srp',
    condition: 'username and SRP_A (optional)',
    to: 'PASSWORD_VERIFIER',
    effect: 'salt, secret block, SRP_B, session token returned',
    holds: (facts) => starts(facts, 'POST /login/srp') && facts.defined === undefined,
  },
  {
    id: 'T10',
    subject: 'Login',
    from: 'PASSWORD_VERIFIER',
    trigger: ANSWER,
    condition: 'proof correct',
    to: 'authenticated',
    effect: 'tokens returned',
    holds: (facts) => answers(facts, 'PASSWORD_VERIFIER') && isDone(facts),
  },
  {
    id: 'T11',
    subject: 'Login',
    from: 'SOFTWARE_TOKEN_MFA',
    trigger: 'POST /challenge',
    condition: 'code correct',
    to: 'authenticated',
    effect: 'tokens returned',
    holds: (facts) => answers(facts, 'SOFTWARE_TOKEN_MFA') && isDone(facts),
  },
  {
    id: 'T12',
    subject: 'Login',
    from: 'none',
    trigger: 'GET /login/passkey/challenge',
    condition: 'user known',
    to: 'SELECT_CHALLENGE',
    effect: 'AvailableChallenges returned',
    holds: (facts) => starts(facts, 'GET /login/passkey/challenge'),
  },
  {
    id: 'T13',
    subject: 'Login',
    from: 'SELECT_CHALLENGE',
    trigger: 'GET /login/passkey/challenge/<challenge_name>',
    condition: 'name in AvailableChallenges',
    to: 'the chosen challenge',
    effect: 'Session and ChallengeParameters returned',
    // The request names user and challenge, not the session of the list, so it can also be the first one.
    holds: (facts) => starts(facts, 'GET /login/passkey/challenge/<challenge_name>'),
  },
  {
    id: 'T14',
    subject: 'Login',
    from: 'chosen passkey challenge',
    trigger: 'POST /login/challenge',
    condition: 'response correct',
    to: 'authenticated',
    effect: 'tokens returned',
    holds: (facts) => facts.isFirstProof && (answers(facts, 'EMAIL_OTP') || answers(facts, 'SMS_OTP')) && isDone(facts),
  },
  {
    id: 'N01',
    subject: 'Login',
    from: 'a proven first factor',
    trigger: 'any',
    condition: 'the password is temporary',
    to: 'NEW_PASSWORD_REQUIRED',
    effect: 'a new password is asked for before anything else',
    holds: (facts) => provesFactor(facts) && facts.mustChangePassword,
  },
  {
    id: 'N02',
    subject: 'Login',
    from: 'a proven first factor',
    trigger: 'any',
    condition: 'guesses were counted for a device that is not trusted any more',
    to: 'refused',
    effect: 'the session is spent',
    holds: (facts) => proves(facts) && !facts.mustChangePassword && facts.isBoundToDevice && !facts.isDeviceTrusted,
  },
  {
    id: 'N03',
    subject: 'Login',
    from: 'PASSWORD_VERIFIER',
    trigger: ANSWER,
    condition: 'proof correct, device_key of a remembered device, which replaces MFA',
    to: 'DEVICE_SRP_AUTH',
    effect: 'challenge parameters returned',
    holds: (facts) => facts.from !== 'none' && asksDeviceFirst(facts),
  },
  {
    id: 'N04',
    subject: 'Login',
    from: 'PASSWORD_VERIFIER',
    trigger: ANSWER,
    condition: 'proof correct, TOTP is the factor to be asked for',
    to: 'SOFTWARE_TOKEN_MFA',
    effect: 'challenge and session returned',
    holds: (facts) => facts.from !== 'none' && owes(facts, 'SOFTWARE_TOKEN_MFA'),
  },
  {
    id: 'N05',
    subject: 'Login',
    from: 'a proven first factor',
    trigger: 'any',
    condition: 'SMS is the factor to be asked for',
    to: 'SMS_MFA',
    effect: 'a code is sent',
    holds: (facts) => owes(facts, 'SMS_MFA'),
  },
  {
    id: 'N06',
    subject: 'Login',
    from: 'a proven first factor',
    trigger: 'any',
    condition: 'e-mail is the factor to be asked for',
    to: 'EMAIL_OTP',
    effect: 'a code is sent',
    holds: (facts) => owes(facts, 'EMAIL_OTP'),
  },
  {
    id: 'N07',
    subject: 'Login',
    from: 'a proven first factor',
    trigger: 'any',
    condition: 'several factors, none preferred',
    to: 'SELECT_MFA_TYPE',
    effect: 'MFAS_CAN_CHOOSE returned',
    holds: (facts) => owes(facts, 'choice'),
  },
  {
    id: 'N08',
    subject: 'Login',
    from: 'a proven first factor',
    trigger: 'any',
    condition: 'MFA is required and the user has no factor',
    to: 'MFA_SETUP',
    effect: 'MFAS_CAN_SETUP returned',
    holds: (facts) => owes(facts, 'set-up'),
  },
  {
    id: 'N09',
    subject: 'Login',
    from: 'SELECT_MFA_TYPE',
    trigger: ANSWER,
    condition: 'one of MFAS_CAN_CHOOSE',
    to: 'the chosen challenge',
    effect: 'a code is sent where the factor is one of messages',
    holds: (facts) => answers(facts, 'SELECT_MFA_TYPE'),
  },
  {
    id: 'N10',
    subject: 'Login',
    from: 'SELECT_CHALLENGE',
    trigger: ANSWER,
    condition: 'one of AvailableChallenges',
    to: 'the chosen challenge',
    effect: 'as if the challenge had been named first',
    holds: (facts) => answers(facts, 'SELECT_CHALLENGE'),
  },
  {
    id: 'N11',
    subject: 'Login',
    from: 'a proven second factor',
    trigger: 'any',
    condition: 'a remembered device that does not replace MFA',
    to: 'DEVICE_SRP_AUTH',
    effect: 'challenge parameters returned',
    holds: asksDeviceLast,
  },
  {
    id: 'N12',
    subject: 'Login',
    from: 'none',
    trigger: 'POST /login',
    condition: 'password correct, nothing more is owed',
    to: 'authenticated',
    effect: TOKENS,
    holds: (facts) => starts(facts, 'POST /login') && isDone(facts),
  },
  {
    id: 'N13',
    subject: 'Login',
    from: 'SMS_MFA or EMAIL_OTP as second factor',
    trigger: ANSWER,
    condition: 'code correct',
    to: 'authenticated',
    effect: TOKENS,
    holds: (facts) =>
      !facts.isFirstProof && (answers(facts, 'SMS_MFA') || answers(facts, 'EMAIL_OTP')) && isDone(facts),
  },
  {
    id: 'N14',
    subject: 'Login',
    from: 'NEW_PASSWORD_REQUIRED',
    trigger: ANSWER,
    condition: 'the new password is good, nothing more is owed',
    to: 'authenticated',
    effect: TOKENS,
    holds: (facts) => answers(facts, 'NEW_PASSWORD_REQUIRED') && isDone(facts),
  },
  {
    id: 'N15',
    subject: 'Login',
    from: 'MFA_SETUP',
    trigger: ANSWER,
    condition: 'a code of the new authenticator was verified with the session',
    to: 'authenticated',
    effect: TOKENS,
    holds: (facts) => answers(facts, 'MFA_SETUP') && isDone(facts),
  },
  {
    id: 'N17',
    subject: 'Login',
    from: 'none, a proven password or CUSTOM_CHALLENGE',
    trigger: 'any',
    condition: 'the triggers want a challenge of their own',
    to: 'CUSTOM_CHALLENGE',
    effect: 'its public parameters returned',
    holds: (facts) => facts.defined === 'CUSTOM_CHALLENGE',
  },
  {
    id: 'N18',
    subject: 'Login',
    from: 'none',
    trigger: 'POST /login/srp with custom',
    condition: 'the triggers want the password',
    to: 'PASSWORD_VERIFIER',
    effect: 'salt, secret block, SRP_B returned',
    holds: (facts) => facts.defined === 'PASSWORD_VERIFIER',
  },
  {
    id: 'N19',
    subject: 'Login',
    from: 'CUSTOM_CHALLENGE',
    trigger: ANSWER,
    condition: 'the triggers end the login',
    to: 'refused',
    effect: 'the session is spent',
    holds: (facts) => facts.defined === 'failure',
  },
  {
    id: 'N20',
    subject: 'Login',
    from: 'CUSTOM_CHALLENGE',
    trigger: ANSWER,
    condition: 'the triggers find the login good, and the password, which nobody asked for, is temporary',
    to: 'refused',
    effect: 'the session is spent',
    holds: (facts) => facts.defined === 'tokens' && facts.mustChangePassword,
  },
  {
    id: 'N21',
    subject: 'Login',
    from: 'CUSTOM_CHALLENGE',
    trigger: ANSWER,
    condition: 'the triggers find the login good, nothing more is owed',
    to: 'authenticated',
    effect: TOKENS,
    holds: (facts) => answers(facts, 'CUSTOM_CHALLENGE') && isDone(facts),
  },
  {
    id: 'N22',
    subject: 'Login',
    from: 'any',
    trigger: 'any',
    condition: 'everything is proven, and a trigger refuses the tokens',
    to: 'refused by a trigger',
    effect: 'no login is left behind',
    holds: (facts) => isProven(facts) && facts.areTokensRefused === true,
  },
] as const satisfies readonly LoginRow[];

/** The states of a device. */
export type DeviceState = 'unregistered' | 'registered' | 'remembered' | 'not_remembered' | 'removed';

/** The requests that change a device. */
export type DeviceTrigger = 'POST /device' | 'PUT true' | 'PUT false' | 'DELETE';

/** A row about devices, with a computable condition. */
export interface DeviceRow extends Row {
  readonly subject: 'Device';
  readonly to: DeviceState;
  readonly holds: (from: DeviceState, trigger: DeviceTrigger, alwaysRemembers: boolean) => boolean;
}

const isKnown = (from: DeviceState): boolean => from !== 'unregistered' && from !== 'removed';

/** The rows about devices. */
const DEVICE_ROWS = [
  {
    id: 'T01',
    subject: 'Device',
    from: 'unregistered',
    trigger: 'POST /device',
    condition: 'valid body, device not already present',
    to: 'registered',
    effect: 'device key stored against the user; response carries UserConfirmationNecessary',
    holds: (from, trigger, always) => from === 'unregistered' && trigger === 'POST /device' && !always,
  },
  {
    id: 'T02',
    subject: 'Device',
    from: 'registered',
    trigger: 'PUT /device/{device_key} with remembered_status true',
    condition: 'device exists',
    to: 'remembered',
    effect: 'remembered flag updated in storage',
    holds: (from, trigger) => isKnown(from) && trigger === 'PUT true',
  },
  {
    id: 'T03',
    subject: 'Device',
    from: 'registered or remembered',
    trigger: 'PUT /device/{device_key} with remembered_status false',
    condition: 'device exists',
    to: 'not_remembered',
    effect: 'remembered flag updated',
    holds: (from, trigger) => isKnown(from) && trigger === 'PUT false',
  },
  {
    id: 'T04',
    subject: 'Device',
    from: 'any',
    trigger: 'DELETE /device/{device_key}',
    condition: 'device exists',
    to: 'removed',
    effect: 'device record removed in storage',
    holds: (from, trigger) => isKnown(from) && trigger === 'DELETE',
  },
  {
    id: 'N16',
    subject: 'Device',
    from: 'unregistered',
    trigger: 'POST /device',
    condition: 'the pool always remembers',
    to: 'remembered',
    effect: 'UserConfirmationNecessary is false',
    holds: (from, trigger, always) => from === 'unregistered' && trigger === 'POST /device' && always,
  },
] as const satisfies readonly DeviceRow[];

/** A row about the second factor of a user. */
export interface MfaRow extends Row {
  readonly subject: 'User MFA';
}

/** The rows about the second factor of a user. */
const MFA_ROWS = [
  {
    id: 'T22',
    subject: 'User MFA',
    from: 'inactive',
    trigger: 'activation, then verification with a code',
    condition: 'code correct',
    to: 'active',
    effect: 'verification answers HTTP 200',
  },
  {
    id: 'T23',
    subject: 'User MFA',
    from: 'active',
    trigger: 'POST /user/mfa/deactivate',
    condition: 'authenticated user',
    to: 'inactive',
    effect: 'success code',
  },
] as const satisfies readonly MfaRow[];

/** Every row that concerns logins, devices and second factors. */
export const TRANSITIONS = [...LOGIN_ROWS, ...DEVICE_ROWS, ...MFA_ROWS] as const;

/** The name of a row. */
export type TransitionId = (typeof TRANSITIONS)[number]['id'];

/** A row that Poolgate promises. */
export type LawRowId = Extract<TransitionId, `T${string}`>;

/** What follows from the state of a login. @throws RangeError if no row or more than one applies */
export function nextOfLogin(facts: LoginFacts): { readonly id: TransitionId; readonly state: LoginState } {
  const rows = LOGIN_ROWS.filter((row) => row.holds(facts));
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new RangeError(`${rows.length} rows for ${JSON.stringify(facts)}`);
  const state = row.to === 'the chosen challenge' ? facts.chosen : row.to;
  if (state === undefined) throw new RangeError(`${row.id} needs to know what was chosen`);
  return { id: row.id, state };
}

/** What a request does to a device. Undefined if it is refused. */
export function nextOfDevice(
  from: DeviceState,
  trigger: DeviceTrigger,
  alwaysRemembers: boolean,
): { readonly id: TransitionId; readonly state: DeviceState } | undefined {
  const row = DEVICE_ROWS.find(({ holds }) => holds(from, trigger, alwaysRemembers));
  return row && { id: row.id, state: row.to };
}
