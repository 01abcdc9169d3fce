import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../e2e/support/services/wait-for-port.ts';
import { startProgram } from '../clients/running-program.ts';
import type { StartProvider } from './provider-program.ts';

/** oidc-provider, from npm. */
export const startOidcProvider: StartProvider = async (_folder, { id, secret, redirectUri }) => {
  const port = await findFreePort();
  const words = [fileURLToPath(new URL('oidc-provider-program.ts', import.meta.url))];
  const environment = { PORT: String(port), CLIENT_ID: id, CLIENT_SECRET: secret, REDIRECT_URI: redirectUri };
  const { stop } = await startProgram({ program: process.execPath, words, environment }, port);
  return { issuer: `http://127.0.0.1:${port}`, stop };
};
