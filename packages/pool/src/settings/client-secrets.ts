import { ProviderError } from '@poolgate/provider';
import { generateClientSecretText, generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { ClientSecretMetadata } from '../store/pool-and-client-settings.ts';
import type { ClientRecord } from '../store/records.ts';
import { encryptClientSecret } from './pools-and-clients.ts';

/** One is used while the other is being brought to the applications. */
const MAX_SECRETS = 2;

const FORM = /^[\w+]{24,64}$/;

/** The secret of a client, what is known of it, and how it is kept. */
export interface ClientSecret {
  readonly secret: string;
  readonly encrypted: string;
  readonly metadata: ClientSecretMetadata;
}

/**
 * Makes a secret for a client, or takes the one that is given.
 * @throws {ProviderError} `InvalidParameterException`: not of its form
 */
export function generateClientSecret(
  ports: ClockPort & RandomPort & KeyRingPort,
  { poolId, id }: Pick<ClientRecord, 'poolId' | 'id'>,
  given?: string,
): ClientSecret {
  const secret = given ?? generateClientSecretText(ports.random);
  if (!FORM.test(secret)) {
    throw invalidParameterError(
      "Value at 'clientSecret' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+]+",
    );
  }
  const metadata = { id: generateUuid(ports.random), createdAtMs: ports.clock.now() };
  return { secret, encrypted: encryptClientSecret(ports, poolId, id, secret), metadata };
}

/** What is known of each secret of a client. One that came with a client without known is as old as the client. */
export function listClientSecretMetadata({
  id,
  secretsEncrypted,
  settings,
  createdAtMs,
}: ClientRecord): readonly ClientSecretMetadata[] {
  return secretsEncrypted.map((_, index) => settings.secretNotes?.[index] ?? { id: `${id}-${index}`, createdAtMs });
}

type ClientSecretFields = Pick<ClientRecord, 'settings' | 'secretsEncrypted'>;

/**
 * A client's secrets with a further one.
 * @throws {ProviderError} `InvalidParameterException`: it is public; `LimitExceededException`: it has two
 */
export function addClientSecret(client: ClientRecord, { encrypted, metadata }: ClientSecret): ClientSecretFields {
  const { secretsEncrypted, settings } = client;
  if (secretsEncrypted.length === 0)
    throw invalidParameterError('The client has no secret: it was made as a public client.');
  if (secretsEncrypted.length >= MAX_SECRETS) {
    throw new ProviderError('LimitExceededException', `A client can have ${MAX_SECRETS} secrets at most.`);
  }
  return {
    settings: { ...settings, secretNotes: [...listClientSecretMetadata(client), metadata] },
    secretsEncrypted: [...secretsEncrypted, encrypted],
  };
}

/**
 * A client's secrets without one.
 * @throws {ProviderError} `ResourceNotFoundException`; `InvalidParameterException`: it is the last one
 */
export function removeClientSecret(client: ClientRecord, secretId: string): ClientSecretFields {
  const known = listClientSecretMetadata(client);
  const index = known.findIndex(({ id }) => id === secretId);
  if (index === -1) throw new ProviderError('ResourceNotFoundException', 'The client secret does not exist.');
  // Without any, everybody could speak for the client.
  if (known.length === 1) throw invalidParameterError('The last secret of a client cannot be deleted.');
  const keep = (_: unknown, position: number) => position !== index;
  return {
    settings: { ...client.settings, secretNotes: known.filter(keep) },
    secretsEncrypted: client.secretsEncrypted.filter(keep),
  };
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
