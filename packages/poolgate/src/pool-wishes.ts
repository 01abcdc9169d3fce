import type { EmbeddedPool } from '@poolgate/pool';
import type { Configuration } from './config/configuration.ts';
import type { Settings } from './config/settings.ts';

/** What can be wanted of the pool. */
export type Wanted = NonNullable<Parameters<EmbeddedPool['setUp']>[0]>;

const RECOVERY = {
  email: 'verified_email',
  phone: 'verified_phone_number',
  admin_only: 'admin_only',
} as const satisfies Record<Settings['recovery'], string>;

const DEVICE_TRACKING = {
  'opt-in': { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true },
  always: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: false },
  off: null,
} as const satisfies Record<Settings['deviceTracking'], Wanted['deviceTracking']>;

type Wishing =
  | 'region'
  | 'userPoolId'
  | 'clientId'
  | 'issuer'
  | 'mfaSetup'
  | 'mfaTypes'
  | 'deviceTracking'
  | 'firstFactors'
  | 'recovery'
  | 'sessionMinutes'
  | 'verifierPasswords';

/** What a setting that is set asks of the pool. */
const WISHES: { readonly [Name in Wishing]: (value: Exclude<Settings[Name], undefined>) => Wanted } = {
  region: (region) => ({ region }),
  userPoolId: (userPoolId) => ({ userPoolId }),
  clientId: (clientId) => ({ clientId }),
  issuer: (issuer) => ({ issuer }),
  mfaSetup: (mfaConfiguration) => ({ mfaConfiguration }),
  mfaTypes: (mfaMethods) => ({ mfaMethods }),
  deviceTracking: (tracking) => ({ deviceTracking: DEVICE_TRACKING[tracking] }),
  firstFactors: (firstFactors) => ({ firstFactors }),
  recovery: (recovery) => ({ recovery: [RECOVERY[recovery]] }),
  sessionMinutes: (minutes) => ({ authSessionSeconds: minutes * 60 }),
  verifierPasswords: (verifierPasswords) => ({ verifierPasswords }),
};

/** How passkeys count, where that is said. */
function passkeyRules({ settings, sources }: Said): Partial<NonNullable<Wanted['webAuthn']>> {
  const { userVerification, factorConfiguration } = settings;
  return {
    ...(sources.userVerification === 'default' ? {} : { userVerification }),
    ...(sources.factorConfiguration === 'default' ? {} : { factorConfiguration }),
  };
}

/** What is asked of new passwords, where that is said. */
function newPasswordWish({ settings, sources }: Said): Wanted {
  const { refuseCommonPasswords: refuseCommon, refuseTemporaryAgain } = settings;
  const newPasswords = {
    ...(sources.refuseCommonPasswords === 'default' ? {} : { refuseCommon }),
    ...(sources.refuseTemporaryAgain === 'default' ? {} : { refuseTemporaryAgain }),
  };
  return Object.keys(newPasswords).length === 0 ? {} : { newPasswords };
}

type Said = Pick<Configuration, 'settings' | 'sources'>;

/** Where passkeys are made and used; nothing before that is known. */
export function passkeyWish(said: Said, listeningAt?: string): Wanted {
  const { allowPasskeys, rpId, origins } = said.settings;
  if (!allowPasskeys || rpId === undefined) return { webAuthn: null };
  const places = origins ?? (listeningAt === undefined ? undefined : [listeningAt]);
  return places === undefined ? {} : { webAuthn: { relyingPartyId: rpId, origins: places, ...passkeyRules(said) } };
}

const NOT_ME_PATH = '/cognito/not-me';

function notMeWish({ settings }: Said, listeningAt: string | undefined): Wanted {
  const baseUrl = settings.baseUrl ?? listeningAt;
  return baseUrl === undefined ? {} : { notMeUrl: `${baseUrl}${NOT_ME_PATH}` };
}

/**
 * Where the service that starts has its passkeys, and where the links of its mails lead. This is said at every start, by default too:
 * nobody else knows where it is reached.
 * @param listeningAt the origin that is meant where the system chose the port; undefined before it is known, then nothing is said
 */
export function placeWishes(said: Said, listeningAt?: string): Wanted {
  return { ...passkeyWish(said, listeningAt), ...notMeWish(said, listeningAt) };
}

/** Whether a part of {@link placeWishes} waits for the port that the system chooses. */
export function waitsForPort({ settings }: Said): boolean {
  return settings.baseUrl === undefined;
}

/** What the configuration wants of the pool. A default is no wish: it must not undo what was changed in the store. */
export function poolWishes(configuration: Configuration): Wanted {
  const { settings, sources } = configuration;
  const wishes = (Object.keys(WISHES) as Wishing[])
    .filter((name) => settings[name] !== undefined && sources[name] !== 'default')
    // Each row takes the value of the setting that it is named after.
    .map((name) => (WISHES[name] as (value: unknown) => Wanted)(settings[name]));
  return Object.assign({}, ...wishes, newPasswordWish(configuration)) as Wanted;
}
