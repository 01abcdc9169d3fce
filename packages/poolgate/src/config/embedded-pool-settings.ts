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
  problem: 'is not off, hibp or a valid URL',
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
      ? { ok: false, problem: 'does not contain PASSWORD' }
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
    help: 'How long a user can respond to a challenge.',
  }),
  deviceTracking: defineSetting('IDP_DEVICE_TRACKING', createChoiceKind(['opt-in', 'always', 'off']), {
    default: 'opt-in',
    help: 'Whether devices are remembered. A remembered device replaces the second factor. Choose whether the user decides, always or never.',
  }),
  firstFactors: defineSetting('IDP_FIRST_FACTORS', firstFactors, {
    default: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
    help: 'The first factors that choice-based logins offer.',
  }),
  recovery: defineSetting('IDP_RECOVERY', createChoiceKind(['email', 'phone', 'admin_only']), {
    default: 'email',
    help: 'The contact that users recover their account with after they lose their password.',
  }),
  registrationDays: defineSetting('IDP_REGISTRATION_DAYS', createWholeNumberKind(1, 365), {
    default: 7,
    help: 'How many days an unconfirmed registration is kept before it is deleted.',
  }),
  deletionDays: defineSetting('IDP_DELETION_DAYS', createWholeNumberKind(0, 365), {
    default: 14,
    help: 'How many days users can keep an account that they delete on the account page. Until then it is disabled, and signing in offers to keep it. 0 deletes it at once.',
  }),
  breachedPasswords: defineSetting('POOLGATE_BREACHED_PASSWORDS', rangeApi, {
    default: 'off',
    help: 'Whether new passwords are checked against known data breaches. Clients that set a password without sending it check it with `POST /password/range`. Only five hexadecimal digits of a SHA-1 leave the service. If the API takes longer than two seconds, the password is accepted.',
  }),
  refuseCommonPasswords: defineSetting('IDP_REFUSE_COMMON_PASSWORDS', booleanKind, {
    default: true,
    help: "Whether the served pool refuses the most common passwords, and the user's own names, as new passwords. Pools created over the Cognito-compatible API accept them, as Cognito does.",
  }),
  refuseTemporaryAgain: defineSetting('IDP_REFUSE_TEMPORARY_AGAIN', booleanKind, {
    default: true,
    help: 'Whether the served pool refuses the temporary password as the permanent one. Pools created over the Cognito-compatible API accept it, as Cognito does.',
  }),
  verifierPasswords: defineSetting('IDP_VERIFIER_PASSWORDS', booleanKind, {
    default: true,
    help: 'Whether clients may set a password with a verifier that they compute, so that the password never leaves the client. The client must then enforce the password rules.',
  }),
  wire: defineSetting('POOLGATE_WIRE', booleanKind, {
    default: true,
    help: 'Whether the embedded pool serves the AWS JSON 1.1 protocol at `POST /` for unmodified Cognito clients.',
  }),
  freshProofWire: defineSetting('IDP_FRESH_PROOF_WIRE', createOptionalKind(booleanKind, '(the value in the store)'), {
    default: undefined,
    defaultText: '`true`, or `false` in a store created by release 2.0.6 or earlier',
    help: 'Whether the Cognito-compatible API also requires a login within the last IDP_FRESH_PROOF_SECONDS to change a sign-in method, a contact or the account. For an older login it returns `NotAuthorizedException` "Sign in again to change sign-in methods.". The store remembers the value.',
  }),
  wireRegions: defineSetting('POOLGATE_WIRE_REGIONS', createChoiceKind(['one', 'any']), {
    default: 'one',
    help: 'The regions that requests to `POST /` may be signed for: the region of the served pool, or any region. With `any`, a new pool is created in the region that its request was signed for, and its ID starts with that region.',
  }),
  oauth: defineSetting('POOLGATE_OAUTH', booleanKind, {
    default: true,
    help: 'Whether the embedded pool is an OAuth and OpenID Connect authorization server (`/oauth2/*`, `/login`, `/logout`). It needs a domain; pools created by the service have one.',
  }),
  pkce: defineSetting('POOLGATE_PKCE', createChoiceKind(['required', 'as-cognito']), {
    default: 'required',
    help: 'Whether app clients without a secret must use PKCE at `/oauth2/authorize`. With `as-cognito`, PKCE is optional.',
  }),
  forwardAuthClient: defineSetting('POOLGATE_FORWARD_AUTH_CLIENT', createOptionalKind(clientId, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'The app client whose access tokens forward authentication accepts as `Authorization: Bearer`. It never accepts ID tokens, machine tokens or tokens that are bound to a resource.',
  }),
  unsupportedSettings: defineSetting('POOLGATE_UNSUPPORTED_SETTINGS', createChoiceKind(['refuse', 'warn']), {
    default: 'refuse',
    help: 'How to handle pool settings that this service does not support, such as `DcrConfiguration` or `CustomSMSSender` (docs/reference/pools.md#settings-that-are-not-supported). `warn` stores and returns them and logs each once; `poolgate doctor` lists them. In production, unsupported security settings are always refused.',
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
    help: '`required` refuses to register or accept a passkey without user verification.',
  }),
  factorConfiguration: defineSetting(
    'IDP_PASSKEY_FACTOR_CONFIGURATION',
    createChoiceKind(['MULTI_FACTOR_WITH_USER_VERIFICATION', 'SINGLE_FACTOR']),
    {
      default: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      help: 'Whether a user-verified passkey counts as both factors. With SINGLE_FACTOR, or without user verification, the second factor is still required.',
    },
  ),
};
