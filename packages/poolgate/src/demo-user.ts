import type { CallContext, IdentityProvider } from '@poolgate/provider';
import { ProviderError } from '@poolgate/provider';

/** The user of a development start. Its password is public, so production refuses a store that holds it. */
export const DEMO_USER = { email: 'demo@poolgate.test', password: 'Demo-Passw0rd!' } as const;

/** The start of the service as a caller of the provider. */
const START_CALL: CallContext = {
  requestId: 'start',
  sourceAddress: '127.0.0.1',
  actor: { kind: 'system', id: null },
};

type Operations = IdentityProvider['operations'];

/** The state of the demo user, or undefined where there is none. */
export async function demoUserStatus(operations: Operations, userPoolId: string): Promise<string | undefined> {
  try {
    const found = await operations.adminGetUser({ UserPoolId: userPoolId, Username: DEMO_USER.email }, START_CALL);
    return found.UserStatus;
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'UserNotFoundException') return undefined;
    throw error;
  }
}

/** Makes the demo user, or finishes what an interrupted start began. Starts at the same time do no harm. */
export async function makeDemoUser(operations: Operations, userPoolId: string): Promise<void> {
  const { email, password } = DEMO_USER;
  const user = { UserPoolId: userPoolId, Username: email };
  try {
    await operations.adminCreateUser(
      {
        ...user,
        TemporaryPassword: password,
        MessageAction: 'SUPPRESS',
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
          { Name: 'name', Value: 'Demo' },
        ],
      },
      START_CALL,
    );
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === 'UsernameExistsException')) throw error;
  }
  await operations.adminSetUserPassword({ ...user, Password: password, Permanent: true }, START_CALL);
}
