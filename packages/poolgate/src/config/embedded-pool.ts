import { choice, flag, list, optional, text, wholeNumber } from './kinds.ts';
import { isLoopback } from './mode.ts';
import { setting } from './setting.ts';

const issuer = text({
  allowed: 'an https or http URL without query and trailing slash',
  problem: 'is not such a URL',
  accepts: (input) => /^https?:\/\/[^\s?#]*[^\s?#/]$/.test(input) && URL.canParse(input),
});

/** Without https anybody on the way could answer that no password has leaked. */
function isRangeApi(input: string): boolean {
  if (!URL.canParse(input)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(input);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && `${username}${password}${search}${hash}` === '';
}

const rangeApi = text({
  allowed:
    'off, hibp (Have I Been Pwned), or the https URL (http on loopback) of a range API of the same form, to which /<prefix> is appended',
  problem: 'is neither off, nor hibp, nor such a URL',
  accepts: (input) => input === 'off' || input === 'hibp' || isRangeApi(input),
});

const region = text({
  allowed: 'the name of an AWS region, e.g. eu-central-1',
  problem: 'is not the name of a region',
  accepts: (input) => /^[a-z]{2}(-[a-z]+)+-\d$/.test(input),
});

const userPoolId = text({
  allowed: '<region>_ and 1 to 32 letters and digits',
  problem: 'is not a pool id',
  accepts: (input) => /^[a-z]{2}(-[a-z]+)+-\d_[\da-zA-Z]{1,32}$/.test(input),
});

const clientId = text({
  allowed: '1 to 128 letters, digits, "_" and "+"',
  problem: 'is not a client id',
  accepts: (input) => /^[\w+]{1,128}$/.test(input),
});

const anyFirstFactors = list(choice(['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP']));

/** As in Cognito, where a pool cannot do without passwords either. */
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

/** The embedded user pool. A key that is set wins over what the store holds, at every start. */
export const embeddedPoolSettings = {
  region: setting('IDP_REGION', optional(region, '(chosen when the pool is made: us-east-1)'), {
    default: undefined,
    defaultText: '`us-east-1`',
    help: 'The region in the name of a new pool, and in AWS signatures.',
  }),
  userPoolId: setting('IDP_USER_POOL_ID', optional(userPoolId, '(the pool that was made first)'), {
    default: undefined,
    defaultText: 'made on the first start',
    help: 'The pool to serve. It is made where there is none.',
  }),
  clientId: setting('IDP_CLIENT_ID', optional(clientId, '(the client that was made first)'), {
    default: undefined,
    defaultText: 'made on the first start',
    help: 'The app client that the routes log in on. It is made where there is none.',
  }),
  sessionMinutes: setting('IDP_SESSION_MINUTES', wholeNumber(3, 15), {
    default: 3,
    help: 'How long a challenge may be answered.',
  }),
  mfaSetup: setting('IDP_MFA_SETUP', choice(['OFF', 'OPTIONAL', 'ON']), {
    default: 'OPTIONAL',
    help: 'Whether multi-factor authentication is offered. `ON`: who has no second factor must set one up at the next login.',
  }),
  mfaTypes: setting('IDP_MFA_TYPE', list(choice(['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'])), {
    default: ['SOFTWARE_TOKEN_MFA'],
    help: 'The second factors that may be used; the first one is preferred. A message must not go where passwords are recovered (IDP_RECOVERY).',
  }),
  deviceTracking: setting('IDP_DEVICE_TRACKING', choice(['opt-in', 'always', 'off']), {
    default: 'opt-in',
    help: 'Whether devices are remembered, so that a known one replaces the second factor: when the user says so, always, or never.',
  }),
  firstFactors: setting('IDP_FIRST_FACTORS', firstFactors, {
    default: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
    help: 'What a choice-based login may begin with.',
  }),
  recovery: setting('IDP_RECOVERY', choice(['email', 'phone', 'admin_only']), {
    default: 'email',
    help: 'By which contact users get back in when they have lost their password.',
  }),
  breachedPasswords: setting('POOLGATE_BREACHED_PASSWORDS', rangeApi, {
    default: 'off',
    help: 'Whether new passwords are looked up among those that have leaked. Five hexadecimal digits of a SHA-1 leave the service, never more; an API that does not answer within two seconds stops nobody.',
  }),
  verifierPasswords: setting('IDP_VERIFIER_PASSWORDS', flag, {
    default: true,
    help: 'Whether clients may set a password by a verifier that they made, so that nobody else sees it. Rules for passwords are then theirs to keep.',
  }),
  issuer: setting('IDP_ISSUER', optional(issuer, '(the shape of AWS)'), {
    default: undefined,
    defaultText: 'the shape of AWS: `https://cognito-idp.<region>.amazonaws.com/<pool id>`',
    help: 'The `iss` of the tokens.',
  }),
};
