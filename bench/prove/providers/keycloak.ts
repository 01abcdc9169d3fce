import { startPostgres } from '../../../packages/store/src/testing/postgres.ts';
import { createKeycloakClient, createKeycloakProgram, fillKeycloak, prepareKeycloak } from '../../peers/keycloak.ts';
import { startServer } from '../../rig/server.ts';
import { createDatabase } from '../keycloak.ts';
import { PROVIDER_USER, type StartProvider } from './provider-program.ts';

const REALM = 'pbkdf2';

/** Keycloak, from Maven Central, on a PostgreSQL. */
export const startKeycloak: StartProvider = async (folder, { id, secret, redirectUri }) => {
  const distribution = await prepareKeycloak();
  const postgres = await startPostgres();
  const databaseUrl = await createDatabase(postgres.adminUrl, 'keycloak');
  const server = await startServer(await createKeycloakProgram(folder, distribution, databaseUrl));
  const { email: username, password } = PROVIDER_USER;
  await fillKeycloak(server.url, [{ username, password }], REALM);
  const client = { clientId: id, secret, publicClient: false, redirectUris: [redirectUri], standardFlowEnabled: true };
  await createKeycloakClient(server.url, REALM, client);
  return {
    issuer: `${server.url}/realms/${REALM}`,
    async stop() {
      await server.stop();
      await postgres.stop();
    },
  };
};
