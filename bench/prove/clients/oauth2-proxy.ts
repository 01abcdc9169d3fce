import type { GoProgram } from './go-programs.ts';
import { checkUsualSignIn, type ForeignApplication } from './stage.ts';

/** oauth2-proxy in front of an application that answers every request. */
export const createOAuth2Proxy = ({ program }: GoProgram): ForeignApplication => ({
  callback: '/oauth2/callback',
  async configure({ port, application, issuer, client }) {
    const flags = {
      'http-address': `127.0.0.1:${port}`,
      provider: 'oidc',
      'oidc-issuer-url': issuer,
      'client-id': client.id,
      'client-secret': client.secret ?? '',
      'redirect-url': `${application}/oauth2/callback`,
      'code-challenge-method': 'S256',
      scope: 'openid email',
      'cookie-secret': 'a-secret-of-the-proxy-0123456789',
      'cookie-secure': 'false',
      'email-domain': '*',
      'whitelist-domain': '127.0.0.1:*,localhost:*',
      'skip-provider-button': 'true',
      upstream: 'static://200',
    };
    return { program, words: Object.entries(flags).map(([name, value]) => `--${name}=${value}`), environment: {} };
  },
  check: (stage) => checkUsualSignIn(stage, { signIn: '/', user: '/oauth2/userinfo' }),
});
