import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createCognitoProvider } from '../cognito-provider.ts';
import { createSuccessReply, startCognitoServer } from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, POOL_ID } from '../testing/test-provider.ts';

const NOWHERE = '/nonexistent/aws';
/** A machine without any source of AWS credentials. */
const BARE = {
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: NOWHERE,
  AWS_SHARED_CREDENTIALS_FILE: NOWHERE,
};
const OWN = /^(AWS_|HOME$|USERPROFILE$)/;

/** Runs something on such a machine with more variables, and returns the sent signatures. */
async function onMachine(variables: Readonly<Record<string, string>>, run: (url: string) => Promise<void>) {
  const others = Object.entries(process.env).filter(([name]) => !OWN.test(name));
  const restored = mock.property(process, 'env', { ...Object.fromEntries(others), ...BARE, ...variables });
  await using server = await startCognitoServer(() => createSuccessReply({ Username: 'ada', UserAttributes: [] }));
  try {
    await run(server.url);
    return server.receivedRequests.map(({ headers }) => headers.authorization);
  } finally {
    restored.mock.restore();
  }
}

function onChain(endpoint: string) {
  const ids = { region: 'us-east-1', userPoolId: POOL_ID, clientId: CLIENT_ID, clientSecrets: [] };
  return createCognitoProvider({ ...ids, endpoint, clock: Date });
}

test('without credentials users are served, and administrators get an error', async () => {
  const seen = await onMachine({}, async (url) => {
    const { operations, close } = onChain(url);
    await operations.getUser({ AccessToken: 'a.b.c' }, CALL);
    const signed = operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, CALL);
    await assert.rejects(signed, { code: 'AccessDeniedException', message: /AWS credentials/ });
    close();
  });
  assert.deepEqual(seen, [undefined]);
});

test("credentials of the environment are found by the SDK's own chain", async () => {
  const seen = await onMachine(
    { AWS_ACCESS_KEY_ID: 'AKIDOFENV', AWS_SECRET_ACCESS_KEY: 'a-secret-of-env' },
    async (url) => {
      const { operations, close } = onChain(url);
      await operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, CALL);
      close();
    },
  );
  assert.match(seen[0] ?? '', /Credential=AKIDOFENV\/\d{8}\/us-east-1\/cognito-idp\/aws4_request/);
});
