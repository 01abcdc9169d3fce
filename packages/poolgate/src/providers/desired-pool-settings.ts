import type { DesiredPoolSettings } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';
import type { Settings } from '../config/settings.ts';

/** The value of IDP_ISSUER that stands for an issuer below the base URL. */
const BASE_URL_ISSUER = 'base-url';

const RECOVERY = {
  email: 'verified_email',
  phone: 'verified_phone_number',
  admin_only: 'admin_only',
} as const satisfies Record<Settings['recovery'], string>;

const DEVICE_TRACKING = {
  'opt-in': { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true },
  always: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: false },
  off: null,
} as const satisfies Record<Settings['deviceTracking'], DesiredPoolSettings['deviceTracking']>;

type DesiredSettingName =
  | 'region'
  | 'userPoolId'
  | 'clientId'
  | 'issuer'
  | 'signingAlgorithm'
  | 'mfaSetup'
  | 'mfaTypes'
  | 'deviceTracking'
  | 'firstFactors'
  | 'recovery'
  | 'sessionMinutes'
  | 'verifierPasswords'
  | 'freshProofWire';

/** What a setting that is set asks of the pool. */
const DESIRED_BY_SETTING: {
  readonly [Name in DesiredSettingName]: (value: Exclude<Settings[Name], undefined>) => DesiredPoolSettings;
} = {
  region: (region) => ({ region }),
  userPoolId: (userPoolId) => ({ userPoolId }),
  clientId: (clientId) => ({ clientId }),
  // The address is not known before the service listens where the system chooses the port.
  issuer: (issuer) => (issuer === BASE_URL_ISSUER ? {} : { issuer }),
  signingAlgorithm: (signingAlgorithm) => ({ signingAlgorithm }),
  mfaSetup: (mfaConfiguration) => ({ mfaConfiguration }),
  mfaTypes: (mfaMethods) => ({ mfaMethods }),
  deviceTracking: (tracking) => ({ deviceTracking: DEVICE_TRACKING[tracking] }),
  firstFactors: (firstFactors) => ({ firstFactors }),
  recovery: (recovery) => ({ recovery: [RECOVERY[recovery]] }),
  sessionMinutes: (minutes) => ({ authSessionSeconds: minutes * 60 }),
  verifierPasswords: (verifierPasswords) => ({ verifierPasswords }),
  freshProofWire: (recentLoginOnCognitoApi) => ({ recentLoginOnCognitoApi }),
};

/** How passkeys count, where that is said. */
function toPasskeyRules({ settings, sources }: SourcedSettings): Partial<NonNullable<DesiredPoolSettings['webAuthn']>> {
  const { userVerification, factorConfiguration } = settings;
  return {
    ...(sources.userVerification === 'default' ? {} : { userVerification }),
    ...(sources.factorConfiguration === 'default' ? {} : { factorConfiguration }),
  };
}

/** What is asked of new passwords, where that is said. */
function toDesiredPasswordRules({ settings, sources }: SourcedSettings): DesiredPoolSettings {
  const { refuseCommonPasswords: refuseCommon, refuseTemporaryAgain } = settings;
  const newPasswords = {
    ...(sources.refuseCommonPasswords === 'default' ? {} : { refuseCommon }),
    ...(sources.refuseTemporaryAgain === 'default' ? {} : { refuseTemporaryAgain }),
  };
  return Object.keys(newPasswords).length === 0 ? {} : { newPasswords };
}

type SourcedSettings = Pick<Configuration, 'settings' | 'sources'>;

/** Where passkeys are made and used; nothing before that is known. */
export function toDesiredPasskeySettings(stated: SourcedSettings, listeningAt?: string): DesiredPoolSettings {
  const { allowPasskeys, rpId, origins } = stated.settings;
  if (!allowPasskeys || rpId === undefined) return { webAuthn: null };
  const places = origins ?? (listeningAt === undefined ? undefined : [listeningAt]);
  return places === undefined ? {} : { webAuthn: { relyingPartyId: rpId, origins: places, ...toPasskeyRules(stated) } };
}

const NOT_ME_PATH = '/cognito/not-me';
const CONFIRM_PATH = '/confirmUser';

function toDesiredLinks({ settings }: SourcedSettings, listeningAt: string | undefined): DesiredPoolSettings {
  const baseUrl = settings.baseUrl ?? listeningAt;
  if (baseUrl === undefined) return {};
  return { notMeUrl: `${baseUrl}${NOT_ME_PATH}`, confirmUrl: `${baseUrl}${CONFIRM_PATH}` };
}

function toDesiredIssuer({ settings }: SourcedSettings, listeningAt: string | undefined): DesiredPoolSettings {
  const baseUrl = settings.baseUrl ?? listeningAt;
  return settings.issuer !== BASE_URL_ISSUER || baseUrl === undefined ? {} : { issuerBase: baseUrl };
}

/**
 * Where the service that starts has its passkeys, its issuer and its OAuth endpoints, and where the links of its mails lead. This is said at every start, by default too:
 * nobody else knows where it is reached.
 * @param listeningAt the origin that is meant where the system chose the port; undefined before it is known, then nothing is said
 */
export function toDesiredAddresses(stated: SourcedSettings, listeningAt?: string): DesiredPoolSettings {
  return {
    ...toDesiredPasskeySettings(stated, listeningAt),
    ...toDesiredLinks(stated, listeningAt),
    ...toDesiredIssuer(stated, listeningAt),
    ...(stated.settings.oauth ? { domain: true } : {}),
  };
}

/** Whether a part of {@link toDesiredAddresses} waits for the port that the system chooses. */
export function dependsOnPort({ settings }: SourcedSettings): boolean {
  return settings.baseUrl === undefined;
}

/** What the configuration wants of the pool. A default asks for nothing: it must not undo what was changed in the store. */
export function toDesiredPoolSettings(configuration: Configuration): DesiredPoolSettings {
  const { settings, sources } = configuration;
  const desired = (Object.keys(DESIRED_BY_SETTING) as DesiredSettingName[])
    .filter((name) => sources[name] !== 'default')
    // Each row takes the value of the setting that it is named after.
    .map((name) => (DESIRED_BY_SETTING[name] as (value: unknown) => DesiredPoolSettings)(settings[name]));
  return Object.assign({}, ...desired, toDesiredPasswordRules(configuration)) as DesiredPoolSettings;
}
