import type { ROUTES, Static } from '@poolgate/contract';
import type { PasswordVerifier, PasswordVerifierOperations } from '@poolgate/provider';
import { bytesFromInteger, COGNITO_GROUP, hexFromInteger, integerFromHex, parseVerifier } from '@poolgate/srp';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { mapClientSrpErrors } from './srp-fields.ts';

/** A verifier as a request carries it. */
export type PasswordVerifierBody = NonNullable<Static<(typeof ROUTES)['passwordReset']['body']>['password_verifier']>;

const FIELD = 'password_verifier';
const { lengthBytes } = COGNITO_GROUP;
/** Of a verifier: as long as N and a sign byte. */
const VERIFIER_DIGITS = 2 * lengthBytes + 2;
const SALT_DIGITS = 130;

/**
 * How the provider takes passwords that it never sees.
 * @throws {GatewayError} feature_disabled: it does not, or the configuration does not let it
 */
export function requireVerifierPasswords({
  provider,
  settings,
}: Pick<GatewayDeps, 'provider' | 'settings'>): PasswordVerifierOperations {
  const verifiers = provider.extensions.verifier_passwords;
  if (verifiers === undefined || !settings.verifierPasswords) throw new GatewayError('feature_disabled');
  return verifiers;
}

/**
 * A verifier in the one form that a provider takes: integers without zeros in front.
 * @param field the member of the request that it came in
 * @throws {GatewayError} validation_failed: one that no login could use, or that anybody could
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
