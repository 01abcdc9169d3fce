import assert from 'node:assert/strict';
import { HAS_REPLICAS } from '../provider/tested-provider.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';
import { type EntryTokens, REGISTRATION_APIS, type RegistrationApi, SQUATTER_PASSWORD } from './registration-apis.ts';

/** How the owner of an address proves ownership after an unknown caller has registered it. */
export interface OwnershipProof {
  readonly name: string;
  /** Whether the owner's own password is valid afterwards. */
  readonly keepsPassword: (api: RegistrationApi) => boolean;
  readonly needsCodes?: true;
  /** The owner proves ownership of the address; returns tokens. */
  prove(service: TestService, api: RegistrationApi, email: string): Promise<EntryTokens | undefined>;
}

/** The owner proves ownership with the latest code, and logs in. */
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

/**
 * Returns the ways that a test combines with an attack: all of them on one service. On replicas it is one, another for each attack and API,
 * because which replica answers does not depend on the combination.
 */
export function listProofsAgainst(
  attack: { readonly hasSecondFactor?: true },
  attackIndex: number,
  api: RegistrationApi,
): readonly OwnershipProof[] {
  const ways = OWNERSHIP_PROOFS.filter((one) => !(one.needsCodes && attack.hasSecondFactor));
  if (!HAS_REPLICAS) return ways;
  const index = attackIndex + REGISTRATION_APIS.indexOf(api);
  return [ways[index % ways.length] ?? assert.fail('no way applies')];
}

/** Returns the user of an access token according to the routes; undefined if it is no longer valid. */
export async function readProfileSub(service: TestService, access: string): Promise<unknown> {
  const { status, body } = await service.get('/user/profile', { authorization: `Bearer ${access}` });
  return status === 200 ? (body.user as { readonly sub: string }).sub : undefined;
}

/** The same, according to the Cognito-compatible API. */
export async function readGetUserSub(service: TestService, AccessToken: string): Promise<unknown> {
  const { status, body } = await service.call('GetUser', { AccessToken });
  const attributes = (body.UserAttributes ?? []) as readonly { readonly Name: string; readonly Value: string }[];
  return status === 200 ? attributes.find(({ Name }) => Name === 'sub')?.Value : undefined;
}

/**
 * An attacker registers another person's address, is confirmed by an administrator, and logs in.
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
