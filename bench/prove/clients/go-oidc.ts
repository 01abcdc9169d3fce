import type { GoProgram } from './go-programs.ts';
import { checkUsualSignIn, type ForeignApplication } from './stage.ts';

/** The application with go-oidc. */
export const createGoOidc = ({ program }: GoProgram): ForeignApplication => ({
  callback: '/callback',
  async configure({ port, application, issuer, client }) {
    const environment = {
      ...{ ISSUER: issuer, CLIENT_ID: client.id, CLIENT_SECRET: client.secret ?? '', APPLICATION: application },
      PORT: String(port),
    };
    return { program, words: [], environment };
  },
  check: (stage) => checkUsualSignIn(stage, { signIn: '/sign-in', user: '/', renew: '/renew', signOut: '/sign-out' }),
});
