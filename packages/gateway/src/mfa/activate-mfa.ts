import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { mapAttributesByName } from '../users/attributes.ts';
import { requireMfaOffered } from '../users/mfa-methods.ts';
import { createQrCodeUrl } from './qr-code.ts';
import { requireTotpEnrollment } from './totp-enrollment.ts';
import { formatTotpUri } from './totp-uri.ts';

/** POST and GET /user/mfa/activate: returns a secret for an authenticator. The previous one stays valid until this one is verified. */
export const activateMfa: Handler<'mfaActivate'> = async (deps, { body, caller, call }) => {
  requireMfaOffered(deps, ['SOFTWARE_TOKEN_MFA']);
  const { proof, errors } = requireTotpEnrollment(caller, body.session);
  const { SecretCode, Session } = await mapProviderErrors(
    deps.provider.operations.associateSoftwareToken(proof, call),
    errors,
  );
  if (!isSecretCode(SecretCode)) throw new GatewayError('provider_error');
  const name = caller.kind === 'user' ? await readAccountName(deps, caller, call) : body.username;
  const { appName, baseUrl } = deps.settings;
  const issuer = appName ?? new URL(baseUrl).hostname;
  const TotpUri = formatTotpUri({ issuer, name, secretCode: SecretCode });
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Add this secret to an authenticator app and verify it with a code.',
      data: {},
      SecretCode,
      SecretCodeQR: createQrCodeUrl(deps.settings.mfaQrLibrary, TotpUri),
      TotpUri,
      ...(Session === undefined ? {} : { session: Session }),
    },
  };
};

const MAX_SECRET_CHARACTERS = 256;

/** Base32 (RFC 4648 section 6) of a length that authenticators can be expected to read. */
function isSecretCode(text: string | undefined): text is string {
  return text !== undefined && text.length <= MAX_SECRET_CHARACTERS && /^[A-Z2-7]+=*$/i.test(text);
}

/** The email address is more meaningful to a person than the canonical username, which may be a UUID. */
async function readAccountName(
  { provider }: GatewayDeps,
  { accessToken }: UserCaller,
  call: Parameters<typeof provider.operations.getUser>[1],
): Promise<string> {
  const user = await mapProviderErrors(provider.operations.getUser({ AccessToken: accessToken }, call), TOKEN_ERRORS);
  return mapAttributesByName(user.UserAttributes).email ?? user.Username;
}
