import type { PasswordPolicyFacts, PoolDescription } from '@poolgate/provider';
import { toBase64, utf8 } from '@poolgate/srp';
import { toPoolName } from '../challenges/srp-fields.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /login/parameters: the public parameters that a client needs before login. */
export const showLoginParameters: Handler<'loginParameters'> = async (deps) => ({
  status: 200,
  body: await createLoginParameters(deps),
});

/** Creates the response of {@link showLoginParameters}. @throws {GatewayError} unavailable if the provider does not know its pool */
export async function createLoginParameters(deps: GatewayDeps) {
  const { provider, userPoolId, clientId } = deps;
  const pool = await provider.describe(userPoolId);
  if (pool === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
  return {
    provider: { user_pool_id: userPoolId, client_id: clientId, region: pool.region },
    pool_name: toBase64(utf8(toPoolName(deps))),
    srp: { N: pool.srp.NHex, g: pool.srp.gHex, hash: pool.srp.hash },
    passkeys: { enabled: pool.passkeys !== null, rp_id: pool.passkeys?.relyingPartyId ?? null },
    mfa: pool.mfa,
    password_policy: presentPolicy(pool.passwordPolicy ?? null),
    challenges: pool.challenges,
    challenge_seconds: deps.settings.challengeSeconds ?? null,
    first_factors: pool.firstFactors,
    capabilities: listCapabilities(deps, pool),
  };
}

/** Cognito's symbols; a space counts too. */
const SYMBOLS = '^$*.[]{}()?"!@#%&/\\,><\':;|_~`=+- ';
const MAXIMUM_LENGTH = 256;

function presentPolicy(policy: PasswordPolicyFacts | null) {
  return (
    policy && {
      minimum_length: policy.minimumLength,
      maximum_length: MAXIMUM_LENGTH,
      require_uppercase: policy.requireUppercase,
      require_lowercase: policy.requireLowercase,
      require_numbers: policy.requireNumbers,
      require_symbols: policy.requireSymbols,
      symbols: SYMBOLS,
      refuse_common: policy.refuseCommon,
      refuse_leaked: policy.refuseLeaked,
    }
  );
}

/** The provider's capabilities, except those that the configuration or the pool disables. */
function listCapabilities(
  { provider, settings }: GatewayDeps,
  { acceptsVerifiers }: PoolDescription,
): readonly string[] {
  const off: ReadonlySet<string> = new Set(
    settings.verifierPasswords && acceptsVerifiers ? [] : ['verifier_passwords'],
  );
  return Object.keys(provider.extensions)
    .filter((name) => !off.has(name))
    .sort();
}
