import assert from 'node:assert/strict';
import { type EntryTokens, type RegistrationDoor, STRANGERS_PASSWORD } from './registration-doors.ts';
import { PASSWORD, type TestService } from './test-service.ts';

/** How the owner of an address proves it after a stranger has registered it. */
export interface Way {
  readonly name: string;
  /** Whether the owner's own password is good afterwards. */
  readonly keepsPassword: boolean;
  readonly needsCodes?: true;
  /** The owner proves the address; gives tokens. */
  go(service: TestService, door: RegistrationDoor, email: string): Promise<EntryTokens | undefined>;
}

/** The owner proves the address by the code that came last, and logs in. */
export async function confirmOwn(
  service: TestService,
  door: RegistrationDoor,
  email: string,
  session?: string,
): Promise<EntryTokens | undefined> {
  assert.ok(await door.confirm(service, email, session));
  return (await door.logIn(service, email, PASSWORD)) ?? door.logInByCode(service, email);
}

/** Every way to do so. */
export const WAYS: readonly Way[] = [
  {
    name: 'registers too and sends the session with the code',
    keepsPassword: true,
    go: async (service, door, email) => confirmOwn(service, door, email, await door.register(service, email, PASSWORD)),
  },
  {
    name: 'registers too with a client that knows no session',
    keepsPassword: false,
    async go(service, door, email) {
      await door.register(service, email, PASSWORD);
      return confirmOwn(service, door, email);
    },
  },
  {
    name: 'logs in by a code',
    keepsPassword: false,
    needsCodes: true,
    go: (service, door, email) => door.logInByCode(service, email),
  },
];

/** Whose access token it is, as the routes say; undefined where it is not good any more. */
export async function profileSub(service: TestService, access: string): Promise<unknown> {
  const { status, body } = await service.get('/user/profile', { authorization: `Bearer ${access}` });
  return status === 200 ? (body.user as { readonly sub: string }).sub : undefined;
}

/** The same, as the Cognito-compatible API says. */
export async function wireSub(service: TestService, AccessToken: string): Promise<unknown> {
  const { status, body } = await service.call('GetUser', { AccessToken });
  const attributes = (body.UserAttributes ?? []) as readonly { readonly Name: string; readonly Value: string }[];
  return status === 200 ? attributes.find(({ Name }) => Name === 'sub')?.Value : undefined;
}

/**
 * A stranger registers the address of somebody else, is let in by an administrator and logs in.
 * @returns the stranger's tokens
 */
export async function letIn(
  service: TestService,
  door: RegistrationDoor,
  email: string,
  phone?: string,
): Promise<EntryTokens> {
  await door.register(service, email, STRANGERS_PASSWORD, phone);
  const named = { UserPoolId: service.userPoolId, Username: email };
  const confirmed = await service.call('AdminConfirmSignUp', named, service.asAdmin);
  assert.equal(confirmed.status, 200, confirmed.text);
  const tokens = await door.logIn(service, email, STRANGERS_PASSWORD);
  assert.ok(tokens, 'an administrator let the stranger in');
  return tokens;
}
