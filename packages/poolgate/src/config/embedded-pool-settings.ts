import { isLoopback } from './mode.ts';
import { clientId } from './pool-settings.ts';
import { defineSetting } from './setting.ts';
import {
  booleanKind,
  createChoiceKind,
  createListKind,
  createOptionalKind,
  createTextKind,
  createWholeNumberKind,
  filePathKind,
} from './value-kinds.ts';

/** Without https, an attacker on the network could answer that no password has leaked. */
function isRangeApi(input: string): boolean {
  if (!URL.canParse(input)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(input);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && `${username}${password}${search}${hash}` === '';
}

const rangeApi = createTextKind({
  allowed:
    'off, hibp (Have I Been Pwned), or the https URL (http on loopback) of a range API of the same form, to which /<prefix> is appended',
  problem: 'is neither off, nor hibp, nor such a URL',
  accepts: (input) => input === 'off' || input === 'hibp' || isRangeApi(input),
});

const anyFirstFactors = createListKind(createChoiceKind(['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP']));

/** As in Cognito, where a pool always has passwords too. */
const firstFactors: typeof anyFirstFactors = {
  ...anyFirstFactors,
  allowed: `${anyFirstFactors.allowed}; PASSWORD is always among them`,
  read(input) {
    const reading = anyFirstFactors.read(input);
    return reading.ok && !reading.value.includes('PASSWORD')
      ? { ok: false, problem: 'does not hold PASSWORD' }
      : reading;
  },
};

const accountId = createTextKind({
  allowed: '12 digits',
  problem: 'is not 12 digits',
  accepts: (input) => /^\d{12}$/.test(input),
});

/** Settings of the embedded pool only. At every start, a key that is set overrides the store. */
export const embeddedPoolSettings = {
  sessionMinutes: defineSetting('IDP_SESSION_MINUTES', createWholeNumberKind(3, 15), {
    default: 3,
    help: 'How long a challenge may be answered.',
  }),
  deviceTracking: defineSetting('IDP_DEVICE_TRACKING', createChoiceKind(['opt-in', 'always', 'off']), {
    default: 'opt-in',
    help: 'Whether devices are remembered, so that a known one replaces the second factor: when the user says so, always, or never.',
  }),
  firstFactors: defineSetting('IDP_FIRST_FACTORS', firstFactors, {
    default: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
    help: 'What a choice-based login may begin with.',
  }),
  recovery: defineSetting('IDP_RECOVERY', createChoiceKind(['email', 'phone', 'admin_only']), {
    default: 'email',
    help: 'By which contact users get back in when they have lost their password.',
  }),
  registrationDays: defineSetting('IDP_REGISTRATION_DAYS', createWholeNumberKind(1, 365), {
    default: 7,
    help: 'How long a registration waits for the proof of its address or number, in days; then it is deleted.',
  }),
  breachedPasswords: defineSetting('POOLGATE_BREACHED_PASSWORDS', rangeApi, {
    default: 'off',
    help: 'Whether new passwords are looked up among those that have leaked. Clients that set a password without sending it look it up through `POST /password/range`. Five hexadecimal digits of a SHA-1 leave the service, never more; an API that does not answer within two seconds stops nobody.',
  }),
  refuseCommonPasswords: defineSetting('IDP_REFUSE_COMMON_PASSWORDS', booleanKind, {
    default: true,
    help: 'Whether the most used passwords, and the names of the user, are refused as new passwords of the pool that is served. Pools that are made over the Cognito-compatible API take them, as Cognito does.',
  }),
  refuseTemporaryAgain: defineSetting('IDP_REFUSE_TEMPORARY_AGAIN', booleanKind, {
    default: true,
    help: 'Whether the pool that is served refuses a temporary password as the permanent one. Pools that are made over the Cognito-compatible API take it, as Cognito does.',
  }),
  verifierPasswords: defineSetting('IDP_VERIFIER_PASSWORDS', booleanKind, {
    default: true,
    help: 'Whether clients may set a password by a verifier that they made, so that nobody else sees it. Rules for passwords are then theirs to keep.',
  }),
  wire: defineSetting('POOLGATE_WIRE', booleanKind, {
    default: true,
    help: 'Whether the embedded pool answers the AWS JSON 1.1 protocol at `POST /`, for unmodified Cognito clients.',
  }),
  freshProofWire: defineSetting('IDP_FRESH_PROOF_WIRE', createOptionalKind(booleanKind, '(what the store says)'), {
    default: undefined,
    defaultText: '`true`; `false` in a store that a release up to 2.0.6 made',
    help: 'Whether the Cognito-compatible API also requires a login within the last IDP_FRESH_PROOF_SECONDS to change a sign-in method, a contact or the account. It refuses an older login with `NotAuthorizedException` "Sign in again to change sign-in methods.". The store remembers a value that is set.',
  }),
  wireRegions: defineSetting('POOLGATE_WIRE_REGIONS', createChoiceKind(['one', 'any']), {
    default: 'one',
    help: 'For which regions the requests at `POST /` may be signed: that of the pool that is served, or any. With `any`, a pool is made in the region that its request was signed for, and gets its id from it.',
  }),
  oauth: defineSetting('POOLGATE_OAUTH', booleanKind, {
    default: true,
    help: 'Whether the embedded pool is an OAuth and OpenID Connect authorization server, once it has a domain: `/oauth2/*`, `/login`, `/logout`. A pool that the service makes gets a domain.',
  }),
  pkce: defineSetting('POOLGATE_PKCE', createChoiceKind(['required', 'as-cognito']), {
    default: 'required',
    help: 'Whether app clients without a secret must use PKCE at `/oauth2/authorize`. `as-cognito`: they may do without.',
  }),
  forwardAuthClient: defineSetting('POOLGATE_FORWARD_AUTH_CLIENT', createOptionalKind(clientId, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'The app client whose access tokens open forward authentication, as `Authorization: Bearer`. ID tokens, tokens of machines and tokens that are bound to a resource never do.',
  }),
  unsupportedSettings: defineSetting('POOLGATE_UNSUPPORTED_SETTINGS', createChoiceKind(['refuse', 'warn']), {
    default: 'refuse',
    help: 'What becomes of settings of a pool that this service does not support, such as `DcrConfiguration` or `CustomSMSSender` (docs/reference/pools.md#settings-that-are-not-supported). `warn` stores and returns them, logs each once, and `poolgate doctor` lists them. In production, settings that promise security are refused in either case.',
  }),
  applyFile: defineSetting('POOLGATE_APPLY', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'A file or folder that is applied at every start, as by `poolgate apply`, and in development again when it changes (docs/how-to/pools-from-files.md). Nothing is removed or replaced. A file that is refused ends the start.',
  }),
  accountId: defineSetting('POOLGATE_ACCOUNT_ID', accountId, {
    default: '000000000000',
    help: 'The AWS account in the ARNs of pools and devices.',
  }),
  userVerification: defineSetting('IDP_PASSKEY_USER_VERIFICATION', createChoiceKind(['preferred', 'required']), {
    default: 'preferred',
    help: 'Required: a passkey whose device did not make sure of its user neither registers nor logs in.',
  }),
  factorConfiguration: defineSetting(
    'IDP_PASSKEY_FACTOR_CONFIGURATION',
    createChoiceKind(['MULTI_FACTOR_WITH_USER_VERIFICATION', 'SINGLE_FACTOR']),
    {
      default: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      help: 'Whether a passkey whose device made sure of its user counts for both factors; without that, and as SINGLE_FACTOR, the second factor is still asked for.',
    },
  ),
};
