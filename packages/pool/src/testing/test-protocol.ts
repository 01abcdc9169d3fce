import type { IdentityProviderProtocol } from '../federation/provider-protocol.ts';

/** A provider whose codes are the claims themselves, as JSON. The rest of the protocol is tested with real providers. */
export const TEST_PROTOCOL: IdentityProviderProtocol = {
  createAuthorizationUrl: async (_provider, { state }) =>
    `https://login.example.com/?${new URLSearchParams({ state })}`,
  async redeemCode(_provider, _protection, { parameters }) {
    const claims = JSON.parse(parameters.code ?? '{}') as Record<string, unknown>;
    const tokenResponse = { access_token: 'token-of-provider', token_type: 'bearer' };
    const { auth_time: authTime } = claims;
    const authTimeSeconds = typeof authTime === 'number' ? authTime : undefined;
    return { claims, authTimeSeconds, tokenResponse, idToken: claims, userInfo: claims };
  },
  check: async () => ({ redirectAddress: 'accepted' }),
};
