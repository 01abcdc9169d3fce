import assert from 'node:assert/strict';
import { PASSWORD, type TestService } from '../services/test-service.ts';
import { type EntryTokens, type RegistrationApi, SQUATTER_PASSWORD } from './registration-apis.ts';

/** How the owner of an address proves it after an unknown caller has registered it. */
export interface OwnershipProof {
  readonly name: string;
  /** Whether the owner's own password is good afterwards. */
  readonly keepsPassword: (api: RegistrationApi) => boolean;
  readonly needsCodes?: true;
  /** The owner proves the address; gives tokens. */
  prove(service: TestService, api: RegistrationApi, email: string): Promise<EntryTokens | undefined>;
}

/** The owner proves the address by the code that came last, and logs in. */
export async function confirmAsOwner(
  service: TestService,
  api: RegistrationApi,
  email: string,
  session?: string,
): Promise<EntryTokens | undefined> {
  assert.ok(await api.confirm(service, email, session));
  return (await api.logIn(service, email, PASSWORD)) ?? api.logInByCode(service, email);
}

/** Every way to do so. */
export const OWNERSHIP_PROOFS: readonly OwnershipProof[] = [
  {
    name: 'registers too and sends the session with the code',
    keepsPassword: () => true,
    prove: async (service, entryPoint, email) =>
      confirmAsOwner(service, entryPoint, email, await entryPoint.register(service, email, PASSWORD)),
  },
  {
    name: 'registers too with a client that knows no session',
    keepsPassword: ({ setsPassword }) => setsPassword,
    async prove(service, entryPoint, email) {
      await entryPoint.register(service, email, PASSWORD);
      return confirmAsOwner(service, entryPoint, email);
    },
  },
  {
    name: 'logs in by a code',
    keepsPassword: () => false,
    needsCodes: true,
    prove: (service, entryPoint, email) => entryPoint.logInByCode(service, email),
  },
];

/** Whose access token it is, as the routes say; undefined where it is not good any more. */
export async function readProfileSub(service: TestService, access: string): Promise<unknown> {
  const { status, body } = await service.get('/user/profile', { authorization: `Bearer ${access}` });
  return status === 200 ? (body.user as { readonly sub: string }).sub : undefined;
}

/** The same, as the Cognito-compatible API says. */
export async function readGetUserSub(service: TestService, AccessToken: string): Promise<unknown> {
  const { status, body } = await service.call('GetUser', { AccessToken });
  const attributes = (body.UserAttributes ?? []) as readonly { readonly Name: string; readonly Value: string }[];
  return status === 200 ? attributes.find(({ Name }) => Name === 'sub')?.Value : undefined;
}

/**
 * An attacker registers the address of somebody else, is let in by an administrator and logs in.
 * @returns the attacker's tokens
 */
export async function registerAsAttacker(
  service: TestService,
  api: RegistrationApi,
  email: string,
  phone?: string,
): Promise<EntryTokens> {
  await api.register(service, email, SQUATTER_PASSWORD, phone);
  const named = { UserPoolId: service.userPoolId, Username: email };
  const confirmed = await service.call('AdminConfirmSignUp', named, service.asAdmin);
  assert.equal(confirmed.status, 200, confirmed.text);
  const tokens = await api.logIn(service, email, SQUATTER_PASSWORD);
  assert.ok(tokens, 'an administrator let the attacker in');
  return tokens;
}
