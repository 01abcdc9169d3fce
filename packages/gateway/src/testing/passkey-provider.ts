import { type IdentityProvider, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { TOKEN_KEY } from './access-token.ts';
import { createTestProvider, START_MS, takeSomeTurns } from './gateway-deps.ts';

/** A credential as a browser returns it. Only its ID matters, because nothing is verified. */
export const createTestCredential = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
});

/** A provider that stores passkeys by user and verifies nothing. Tests set its refusals. */
export interface PasskeyProvider extends IdentityProvider {
  /** Credential IDs by the `sub` of their user. */
  readonly idsBySub: Map<string, readonly string[]>;
  /** Its latest input, by operation. */
  readonly lastInputs: Map<string, unknown>;
  /** Refuses the next call of an operation. */
  refuse(operation: keyof ProviderOperations, error: ProviderError): void;
}

export const CREATION_OPTIONS = {
  challenge: 'Y2hhbGxlbmdl',
  rp: { id: 'localhost', name: 'localhost' },
  user: { id: 'dQ', name: 'ada', displayName: 'ada' },
  pubKeyCredParams: [
    { type: 'public-key', alg: -7 },
    { type: 'public-key', alg: -257 },
  ],
  timeout: 60_000,
  excludeCredentials: [],
  authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification: 'preferred' },
};

export function createPasskeyProvider(): PasskeyProvider {
  const idsBySub = new Map<string, readonly string[]>();
  const lastInputs = new Map<string, unknown>();
  const refusals = new Map<string, ProviderError>();
  const listIds = (token: string): readonly string[] => idsBySub.get(readSub(token)) ?? [];
  const operations = {
    startWebAuthnRegistration: async () => ({ CredentialCreationOptions: CREATION_OPTIONS }),
    async completeWebAuthnRegistration({ AccessToken, Credential }) {
      idsBySub.set(readSub(AccessToken), [...listIds(AccessToken), (Credential as { readonly id: string }).id]);
      return {};
    },
    async listWebAuthnCredentials({ AccessToken, NextToken }) {
      // One per page, so that a reader of only the first page would miss the others.
      const at = Number(NextToken ?? 0);
      const ids = listIds(AccessToken);
      const Credentials = ids.slice(at, at + 1).map((CredentialId) => ({
        CredentialId,
        FriendlyCredentialName: `Passkey ${CredentialId}`,
        RelyingPartyId: 'localhost',
        AuthenticatorTransports: ['internal'],
        CreatedAt: START_MS / 1000,
      }));
      return at + 1 < ids.length ? { Credentials, NextToken: String(at + 1) } : { Credentials };
    },
    async deleteWebAuthnCredential({ AccessToken, CredentialId }) {
      const ids = listIds(AccessToken);
      if (!ids.includes(CredentialId)) {
        throw new ProviderError('ResourceNotFoundException', 'x', { reason: 'passkey_not_found' });
      }
      idsBySub.set(
        readSub(AccessToken),
        ids.filter((id) => id !== CredentialId),
      );
      return {};
    },
  } satisfies Partial<ProviderOperations>;
  const watched = Object.entries(operations).map(([name, operation]) => [
    name,
    async (input: never) => {
      lastInputs.set(name, input);
      await takeSomeTurns();
      const refusal = refusals.get(name);
      refusals.delete(name);
      if (refusal !== undefined) throw refusal;
      return operation(input);
    },
  ]);
  const provider = createTestProvider(() => [TOKEN_KEY], Object.fromEntries(watched) as Partial<ProviderOperations>);
  const extensions = { end_other_logins: async () => ({ Ended: [], OwnEnded: false }) };
  return {
    ...provider,
    extensions,
    idsBySub,
    lastInputs,
    refuse: (operation, error) => void refusals.set(operation, error),
  };
}

function readSub(token: string): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly sub: string }).sub;
}
