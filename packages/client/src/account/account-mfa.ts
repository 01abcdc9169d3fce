import type { RouteBody, RouteResponse } from '../transport/routes.ts';
import {
  type AccountDependencies,
  type ChangeOptions,
  type ChangeOutcome,
  dropLoginIfEnded,
  toEndSessionsBody,
} from './account-requests.ts';

/** A new authenticator app that waits for its first code. */
export interface NewAuthenticator {
  /** Base32. Shown only once. */
  readonly secretCode: string;
  /** URL of a QR image. */
  readonly qrCodeUrl: string;
  /** `otpauth://totp/…`. */
  readonly uri: string;
  /** Verifies the app with a code, which turns MFA on. @throws {PoolgateError} `code_mismatch` */
  verify(code: string, options?: ChangeOptions & { readonly name?: string }): Promise<ChangeOutcome>;
}

/** The factors that a user has set up. */
export interface Factors {
  /** Every factor that the user has. */
  readonly factors: readonly string[];
  readonly mfa: RouteResponse<'userFactors'>['mfa'];
  /** Null if the service has no recovery codes. */
  readonly recoveryCodesLeft: number | null;
}

/** The second factors to use. */
export type MfaPreference = Pick<RouteBody<'mfaPreference'>, 'methods' | 'preferred'>;

/** Second factors of the signed-in user. Changes require a recent login; otherwise they fail with `reauthentication_required`. */
export interface Mfa {
  /** @throws {PoolgateError} */
  factors(): Promise<Factors>;
  /** Starts the setup of an authenticator app. @throws {PoolgateError} */
  activate(): Promise<NewAuthenticator>;
  /** @throws {PoolgateError} `mfa_not_configured` */
  prefer(preference: MfaPreference, options?: ChangeOptions): Promise<ChangeOutcome>;
  /** Turns MFA off. @throws {PoolgateError} */
  deactivate(options?: ChangeOptions): Promise<ChangeOutcome>;
  /** Creates ten new recovery codes and invalidates the old ones. They are shown only once. @throws {PoolgateError} `mfa_not_configured` */
  newRecoveryCodes(options?: ChangeOptions): Promise<ChangeOutcome & { readonly codes: readonly string[] }>;
}

/** Creates the methods for second factors. */
export function createMfa(dependencies: AccountDependencies): Mfa {
  const { transport } = dependencies;
  return {
    async factors() {
      const { factors, mfa, recovery_codes_left: recoveryCodesLeft } = await transport.send('userFactors');
      return { factors, mfa, recoveryCodesLeft };
    },
    activate: () => activateAuthenticator(dependencies),
    async prefer(preference, options = {}) {
      const body = { ...preference, ...toEndSessionsBody(options) };
      return dropLoginIfEnded(dependencies, await transport.send('mfaPreference', { body }));
    },
    async deactivate(options = {}) {
      return dropLoginIfEnded(
        dependencies,
        await transport.send('mfaDeactivate', { body: toEndSessionsBody(options) }),
      );
    },
    async newRecoveryCodes(options = {}) {
      const answer = await transport.send('mfaRecoveryCodes', { body: toEndSessionsBody(options) });
      return { codes: answer.recovery_codes, ...(await dropLoginIfEnded(dependencies, answer)) };
    },
  };
}

async function activateAuthenticator(dependencies: AccountDependencies): Promise<NewAuthenticator> {
  const { SecretCode, SecretCodeQR, TotpUri } = await dependencies.transport.send('mfaActivate');
  return {
    secretCode: SecretCode,
    qrCodeUrl: SecretCodeQR,
    uri: TotpUri,
    async verify(code, { name, ...options } = {}) {
      const body = { code, ...(name === undefined ? {} : { device_name: name }), ...toEndSessionsBody(options) };
      return dropLoginIfEnded(dependencies, await dependencies.transport.send('mfaVerify', { body }));
    },
  };
}
