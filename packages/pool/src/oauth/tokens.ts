import { type OAuthTokens, scopesOf, USER_SCOPE } from '@poolgate/provider';
import type { PoolRuntime } from '../runtime.ts';
import type { LoginRecord } from '../store/records.ts';
import type { AuthenticationResult } from '../tokens/login.ts';
import { signTokens } from '../tokens/login.ts';
import type { TokenOrigin } from '../tokens/token-changes.ts';

/** From what tokens come, as a trigger is told. */
export function hostedOrigin(scope: string): TokenOrigin {
  return { source: 'TokenGeneration_HostedAuth', scopes: scopesOf(scope) };
}

/** The tokens of a login as the OAuth endpoints give them. */
export async function tokensOfLogin(
  context: PoolRuntime,
  subject: Parameters<typeof signTokens>[1],
): Promise<OAuthTokens> {
  return oauthTokens(subject.login, await signTokens(context, subject));
}

/** A login at the API gives an ID token as well; another one if it was asked for `openid`. */
export function oauthTokens(
  { scope }: Pick<LoginRecord, 'scope'>,
  { AccessToken = '', IdToken, RefreshToken, ExpiresIn = 0 }: AuthenticationResult,
): OAuthTokens {
  const hasIdToken = IdToken !== undefined && (scope === null || scopesOf(scope).includes('openid'));
  return {
    AccessToken,
    ...(hasIdToken && { IdToken }),
    ...(RefreshToken !== undefined && { RefreshToken }),
    ExpiresIn,
    Scope: scope ?? USER_SCOPE,
  };
}
