import { ProviderError } from '@poolgate/provider';
import { generateClientSecretText, generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { ClientSecretMetadata } from '../store/pool-and-client-settings.ts';
import type { ClientRecord } from '../store/records.ts';
import { encryptClientSecret } from './pools-and-clients.ts';

/** One stays in use while the other is distributed to the applications. */
const MAX_SECRETS = 2;

const FORM = /^[\w+]{24,64}$/;

/** A client's secret with its metadata and its stored form. */
export interface ClientSecret {
  readonly secret: string;
  readonly encrypted: string;
  readonly metadata: ClientSecretMetadata;
}

/**
 * Generates a client secret, or uses the given one.
 * @throws {ProviderError} `InvalidParameterException`: invalid format
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

/** Lists the metadata of a client's secrets. A secret without metadata is as old as its client. */
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
 * Adds a secret to a client.
 * @throws {ProviderError} `InvalidParameterException`: the client is public; `LimitExceededException`: it already has two
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
 * Removes a secret from a client.
 * @throws {ProviderError} `ResourceNotFoundException`; `InvalidParameterException`: it is the last one
 */
export function removeClientSecret(client: ClientRecord, secretId: string): ClientSecretFields {
  const known = listClientSecretMetadata(client);
  const index = known.findIndex(({ id }) => id === secretId);
  if (index === -1) throw new ProviderError('ResourceNotFoundException', 'The client secret does not exist.');
  // Without any secret, anyone could act as the client.
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
