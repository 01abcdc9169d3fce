import { choice, optional, text, wholeNumber } from './kinds.ts';
import { setting } from './setting.ts';

const issuer = text({
  allowed: 'an https URL, or an http URL in development; no query, no trailing slash',
  problem: 'is not such a URL',
  accepts: (input) => /^https?:\/\/[^\s?#]*[^\s?#/]$/.test(input) && URL.canParse(input),
});

/** The embedded user pool. A key that is set wins over what the store holds, at every start. */
export const embeddedPoolSettings = {
  sessionMinutes: setting('IDP_SESSION_MINUTES', wholeNumber(3, 15), {
    default: 3,
    help: 'How long a challenge may be answered.',
  }),
  mfaSetup: setting('IDP_MFA_SETUP', choice(['OFF', 'OPTIONAL'], ['ON']), {
    default: 'OPTIONAL',
    help: 'Whether multi-factor authentication is offered.',
  }),
  issuer: setting('IDP_ISSUER', optional(issuer, '(the shape of AWS)'), {
    default: undefined,
    defaultText: 'the shape of AWS: `https://cognito-idp.<region>.amazonaws.com/<pool id>`',
    help: 'The `iss` of the tokens.',
  }),
};
