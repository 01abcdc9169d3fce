import type { ROUTES, Static } from '@poolgate/contract';
import type { PasswordVerifier, PasswordVerifierOperations } from '@poolgate/provider';
import { bytesFromInteger, COGNITO_GROUP, hexFromInteger, integerFromHex, parseVerifier } from '@poolgate/srp';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { mapClientSrpErrors } from './srp-fields.ts';

/** A verifier in a request. */
export type PasswordVerifierBody = NonNullable<Static<(typeof ROUTES)['passwordReset']['body']>['password_verifier']>;

const FIELD = 'password_verifier';
const { lengthBytes } = COGNITO_GROUP;
/** The length of N plus a sign byte. */
const VERIFIER_DIGITS = 2 * lengthBytes + 2;
const SALT_DIGITS = 130;

/**
 * Returns the provider's operations for verifiers.
 * @throws {GatewayError} feature_disabled: the provider, the configuration or the pool does not accept them
 */
export async function requireVerifierPasswords({
  provider,
  settings,
  userPoolId,
}: Pick<GatewayDeps, 'provider' | 'settings' | 'userPoolId'>): Promise<PasswordVerifierOperations> {
  const verifiers = provider.extensions.verifier_passwords;
  if (verifiers === undefined || !settings.verifierPasswords) throw new GatewayError('feature_disabled');
  if ((await provider.describe(userPoolId))?.acceptsVerifiers === false) throw new GatewayError('feature_disabled');
  return verifiers;
}

/**
 * Converts a verifier to the only form that a provider accepts: integers without leading zeros.
 * @param field the member of the request that contained it
 * @throws {GatewayError} validation_failed: no login could use it, or anyone could
 */
export function readPasswordVerifier({ salt, verifier }: PasswordVerifierBody, field = FIELD): PasswordVerifier {
  return mapClientSrpErrors(
    () => {
      const bytes = bytesFromInteger(integerFromHex(verifier, 'verifier', VERIFIER_DIGITS), lengthBytes + 1);
      return {
        SaltHex: hexFromInteger(integerFromHex(salt, 'salt', SALT_DIGITS)),
        VerifierHex: hexFromInteger(parseVerifier(bytes, COGNITO_GROUP)),
      };
    },
    { salt: `${field}.salt`, verifier: `${field}.verifier`, PasswordVerifier: `${field}.verifier` },
  );
}
