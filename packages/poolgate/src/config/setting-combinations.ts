import { relyingPartyProblem } from '@poolgate/pool';
import type { InvalidSetting } from './configuration-error.ts';
import { formatInvalidValue } from './configuration-error.ts';
import { parseSmsRoute } from './message-settings.ts';
import { findRegion } from './pool-settings.ts';
import type { ProviderName } from './provider-settings.ts';
import { SETTINGS, type SettingName, type Settings } from './settings.ts';
import { hasUrlTrigger } from './trigger-settings.ts';

/** Values that are valid separately but not together. */
interface Combination {
  /** The settings involved. The first one must be changed or set. */
  readonly names: readonly [SettingName, SettingName];
  /** The provider for which it matters; by default all. */
  readonly only?: ProviderName;
  readonly isProblem: (settings: Settings) => boolean;
  readonly problem: string | ((settings: Settings) => string);
  readonly allowed?: string;
}

/** Someone with access to the mailbox could reset the password and also pass the second factor. */
const SAME_CHANNEL = 'contains a factor that uses the same contact as password recovery';

const COMBINATIONS: readonly Combination[] = [
  {
    names: ['userPoolId', 'provider'],
    only: 'embedded',
    isProblem: ({ userPoolId }) => userPoolId !== undefined && findRegion(userPoolId) === undefined,
    problem: 'does not start with the name of an AWS region, as IDs of the embedded pool must',
  },
  {
    names: ['region', 'userPoolId'],
    only: 'cognito',
    isProblem: ({ region, userPoolId }) =>
      region !== undefined &&
      userPoolId !== undefined &&
      findRegion(userPoolId) !== undefined &&
      region !== findRegion(userPoolId),
    problem: ({ userPoolId = '' }) => `does not match the region in IDP_USER_POOL_ID, ${findRegion(userPoolId)}`,
    allowed: 'leave it out',
  },
  {
    names: ['signingAlgorithm', 'provider'],
    only: 'cognito',
    isProblem: ({ signingAlgorithm }) => signingAlgorithm === 'ES256',
    problem: 'only applies to the embedded pool; Amazon Cognito signs with RS256',
    allowed: 'leave it out',
  },
  {
    names: ['issuer', 'provider'],
    only: 'cognito',
    isProblem: ({ issuer }) => issuer === 'base-url',
    problem: 'only applies to the embedded pool; a Cognito pool has its own issuer',
    allowed: 'leave it out',
  },
  {
    names: ['tlsKey', 'tlsCert'],
    isProblem: ({ tlsCert, tlsKey }) => tlsCert !== undefined && tlsKey === undefined,
    problem: 'is missing. It is required because POOLGATE_TLS_CERT is set',
  },
  {
    names: ['tlsCert', 'tlsKey'],
    isProblem: ({ tlsCert, tlsKey }) => tlsCert === undefined && tlsKey !== undefined,
    problem: 'is missing. It is required because POOLGATE_TLS_KEY is set',
  },
  {
    names: ['tls', 'tlsCert'],
    isProblem: ({ tls, tlsCert }) => tls === 'dev' && tlsCert !== undefined,
    problem: 'is dev, but POOLGATE_TLS_CERT also names a certificate. Use only one of them',
    allowed: 'off',
  },
  {
    names: ['baseUrl', 'tls'],
    isProblem: ({ baseUrl, tls, tlsCert }) =>
      (tls !== 'off' || tlsCert !== undefined) && baseUrl !== undefined && baseUrl.startsWith('http:'),
    problem: 'is http, but POOLGATE_TLS or POOLGATE_TLS_CERT makes the service use https',
    allowed: 'the same URL with https',
  },
  {
    names: ['mailFrom', 'smtpUrl'],
    isProblem: ({ smtpUrl, mailFrom }) => smtpUrl !== undefined && mailFrom === undefined,
    problem: 'is missing. It is required because POOLGATE_SMTP_URL is set',
  },
  {
    names: ['smsSecret', 'sms'],
    isProblem: ({ sms, smsSecret }) => smsSecret === undefined && parseSmsRoute(sms ?? '')?.kind === 'webhook',
    problem: 'is missing. It is required because POOLGATE_SMS is a URL',
  },
  {
    names: ['triggerSecret', 'triggerMap'],
    only: 'embedded',
    isProblem: ({ triggerMap, triggerSecret }) => triggerSecret === undefined && hasUrlTrigger(triggerMap),
    problem: 'is missing. It is required because POOLGATE_TRIGGER_MAP contains a URL',
  },
  {
    names: ['mfaTypes', 'recovery'],
    only: 'embedded',
    isProblem: ({ mfaTypes, recovery }) => mfaTypes.includes('EMAIL_OTP') && recovery === 'email',
    problem: SAME_CHANNEL,
    allowed: 'EMAIL_OTP with IDP_RECOVERY=phone or admin_only',
  },
  {
    names: ['mfaTypes', 'recovery'],
    only: 'embedded',
    isProblem: ({ mfaTypes, recovery }) => mfaTypes.includes('SMS_MFA') && recovery === 'phone',
    problem: SAME_CHANNEL,
    allowed: 'SMS_MFA with IDP_RECOVERY=email or admin_only',
  },
  {
    names: ['webPrefix', 'apiPrefix'],
    isProblem: ({ webPrefix, apiPrefix }) => webPrefix === apiPrefix,
    problem: 'is also the prefix of the token routes',
    allowed: 'a different path than POOLGATE_API_PREFIX',
  },
  {
    names: ['consoleUrl', 'baseUrl'],
    // With PORT=0 the port of the base URL is not known yet. Its host is.
    isProblem: ({ consoleUrl, baseUrl = 'http://localhost' }) =>
      consoleUrl !== undefined && new URL(consoleUrl).hostname === new URL(baseUrl).hostname,
    problem: 'has the same host as BASE_URL',
    allowed: 'an origin with another host, or leave it out',
  },
  {
    names: ['rpId', 'origins'],
    isProblem: ({ allowPasskeys, rpId, origins = [] }) => allowPasskeys && rpId === undefined && origins.length > 0,
    problem: 'is missing. It is required because IDP_ORIGINS is set',
  },
  {
    names: ['origins', 'rpId'],
    isProblem: ({ allowPasskeys, rpId, origins }) => allowPasskeys && hasUnknownPort(rpId, origins),
    problem: 'is missing. It is required because IDP_RP_ID is set',
  },
  {
    names: ['origins', 'rpId'],
    isProblem: ({ allowPasskeys, ...settings }) => allowPasskeys && findStrayOrigin(settings) !== undefined,
    problem: (settings) => findStrayOrigin(settings) ?? '',
  },
  {
    names: ['factorConfiguration', 'mfaSetup'],
    isProblem: ({ allowPasskeys, factorConfiguration, mfaSetup }) =>
      allowPasskeys && factorConfiguration === 'SINGLE_FACTOR' && mfaSetup === 'ON',
    problem: 'is SINGLE_FACTOR, but with IDP_MFA_SETUP=ON no login could then start with a passkey',
    allowed: 'MULTI_FACTOR_WITH_USER_VERIFICATION, or IDP_MFA_SETUP=OPTIONAL or OFF, or IDP_ALLOW_PASSKEYS=false',
  },
];

/** With PORT=0 the intended origin is on localhost, which has no other relying party. */
function hasUnknownPort(rpId: string | undefined, origins: readonly string[] | undefined): boolean {
  return rpId !== undefined && (origins === undefined ? rpId !== 'localhost' : origins.length === 0);
}

function findStrayOrigin({ rpId, origins = [] }: Pick<Settings, 'rpId' | 'origins'>): string | undefined {
  if (rpId === undefined || origins.length === 0) return undefined;
  const found = relyingPartyProblem({ relyingPartyId: rpId, origins });
  return found && `${formatInvalidValue(found.value)} ${found.problem}`;
}

/** Finds settings that do not fit together. A setting with an invalid value is ignored. */
export function findCombinationProblems(
  settings: Settings,
  isInvalid: (name: SettingName) => boolean,
): readonly InvalidSetting[] {
  const matters = ({ only = settings.provider }: Combination): boolean => only === settings.provider;
  return COMBINATIONS.filter((row) => matters(row) && !row.names.some(isInvalid) && row.isProblem(settings)).map(
    ({ names: [name], problem, allowed }) => ({
      name: SETTINGS[name].env,
      problem: typeof problem === 'string' ? problem : problem(settings),
      allowed: allowed ?? SETTINGS[name].kind.allowed,
    }),
  );
}
