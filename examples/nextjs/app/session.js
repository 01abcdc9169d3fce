import { createAuthenticator } from '@poolgate/client/server';
import { headers } from 'next/headers';
import { cache } from 'react';

/** Where the browser reaches the service, and where it reaches this application: two ports of one host. */
const service = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const here = process.env.APP_URL ?? 'http://localhost:8082';

const authenticate = createAuthenticator({ baseUrl: service, accept: ['session'] });

/** Who is signed in, or null. The service is asked once for each request, so that a logout counts at the next one. */
export const signedInUser = cache(async () => {
  const caller = await authenticate(await headers());
  return caller === null ? null : caller.user;
});

/** The pages of the service. Where the browser goes afterwards, the service allows by `POOLGATE_RETURN_ORIGINS`. */
export const links = {
  signIn: `${service}/cognito/login?return_to=${encodeURIComponent(`${here}/`)}`,
  account: `${service}/cognito/account`,
};
