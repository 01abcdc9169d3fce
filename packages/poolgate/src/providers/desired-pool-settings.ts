import type { DesiredPoolSettings } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';
import type { Settings } from '../config/settings.ts';

/** The value of IDP_ISSUER that selects an issuer below the base URL. */
export const BASE_URL_ISSUER = 'base-url';

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

/** The pool settings that follow from each configured setting. */
const DESIRED_BY_SETTING: {
  readonly [Name in DesiredSettingName]: (value: Exclude<Settings[Name], undefined>) => DesiredPoolSettings;
} = {
  region: (region) => ({ region }),
  userPoolId: (userPoolId) => ({ userPoolId }),
  clientId: (clientId) => ({ clientId }),
  // If the system chooses the port, the address is not known before the service listens.
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

/** Returns how passkeys count, if that is configured. */
function toPasskeyRules({ settings, sources }: SourcedSettings): Partial<NonNullable<DesiredPoolSettings['webAuthn']>> {
  const { userVerification, factorConfiguration } = settings;
  return {
    ...(sources.userVerification === 'default' ? {} : { userVerification }),
    ...(sources.factorConfiguration === 'default' ? {} : { factorConfiguration }),
  };
}

/** Returns the rules for new passwords, if they are configured. */
function toDesiredPasswordRules({ settings, sources }: SourcedSettings): DesiredPoolSettings {
  const { refuseCommonPasswords: refuseCommon, refuseTemporaryAgain } = settings;
  const newPasswords = {
    ...(sources.refuseCommonPasswords === 'default' ? {} : { refuseCommon }),
    ...(sources.refuseTemporaryAgain === 'default' ? {} : { refuseTemporaryAgain }),
  };
  return Object.keys(newPasswords).length === 0 ? {} : { newPasswords };
}

type SourcedSettings = Pick<Configuration, 'settings' | 'sources'>;

/** Returns where passkeys are registered and used, once that is known. */
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
  return {
    notMeUrl: `${baseUrl}${NOT_ME_PATH}`,
    confirmUrl: `${baseUrl}${CONFIRM_PATH}`,
    brandFilesUrl: `${baseUrl}${settings.webPrefix}/assets/`,
  };
}

function toDesiredIssuer({ settings }: SourcedSettings, listeningAt: string | undefined): DesiredPoolSettings {
  const baseUrl = settings.baseUrl ?? listeningAt;
  return settings.issuer !== BASE_URL_ISSUER || baseUrl === undefined ? {} : { issuerBase: baseUrl };
}

/**
 * Returns the addresses of the starting service: passkeys, issuer, OAuth endpoints and the links in emails. Every start sets them, also by
 * default, because only the service knows its address.
 * @param listeningAt the origin if the system chose the port; undefined before it is known, and then nothing is returned
 */
export function toDesiredAddresses(stated: SourcedSettings, listeningAt?: string): DesiredPoolSettings {
  return {
    ...toDesiredPasskeySettings(stated, listeningAt),
    ...toDesiredLinks(stated, listeningAt),
    ...toDesiredIssuer(stated, listeningAt),
    ...(stated.settings.oauth ? { domain: true } : {}),
  };
}

/** Whether a part of {@link toDesiredAddresses} depends on the port that the system chooses. */
export function dependsOnPort({ settings }: SourcedSettings): boolean {
  return settings.baseUrl === undefined;
}

/** Returns the pool settings that the configuration demands. A default demands nothing, because it must not undo changes in the store. */
export function toDesiredPoolSettings(configuration: Configuration): DesiredPoolSettings {
  const { settings, sources } = configuration;
  const desired = (Object.keys(DESIRED_BY_SETTING) as DesiredSettingName[])
    .filter((name) => sources[name] !== 'default')
    // Each row takes the value of the setting that it is named after.
    .map((name) => (DESIRED_BY_SETTING[name] as (value: unknown) => DesiredPoolSettings)(settings[name]));
  return Object.assign({}, ...desired, toDesiredPasswordRules(configuration)) as DesiredPoolSettings;
}
