import { ProviderError } from '@poolgate/provider';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { ClientSecretMetadata } from '../settings.ts';
import type { ClientRecord } from '../store/records.ts';
import { newClientSecret, uuid } from '../users/identifiers.ts';
import { encryptClientSecret } from './pools.ts';

/** One is used while the other is being brought to the applications. */
const MAX_SECRETS = 2;

const FORM = /^[\w+]{24,64}$/;

/** The secret of a client, what is known of it, and how it is kept. */
export interface GeneratedClientSecret {
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
): GeneratedClientSecret {
  const secret = given ?? newClientSecret(ports.random);
  if (!FORM.test(secret)) {
    throw invalidParameter(
      "Value at 'clientSecret' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+]+",
    );
  }
  const metadata = { id: uuid(ports.random), createdAtMs: ports.clock.now() };
  return { secret, encrypted: encryptClientSecret(ports, poolId, id, secret), metadata };
}

/** What is known of each secret of a client. One that came with a client without known is as old as the client. */
export function clientSecretMetadata({
  id,
  secretsEncrypted,
  settings,
  createdAtMs,
}: ClientRecord): readonly ClientSecretMetadata[] {
  return secretsEncrypted.map((_, index) => settings.secretNotes?.[index] ?? { id: `${id}-${index}`, createdAtMs });
}

type Secrets = Pick<ClientRecord, 'settings' | 'secretsEncrypted'>;

/**
 * A client's secrets with a further one.
 * @throws {ProviderError} `InvalidParameterException`: it is public; `LimitExceededException`: it has two
 */
export function withClientSecret(client: ClientRecord, { encrypted, metadata }: GeneratedClientSecret): Secrets {
  const { secretsEncrypted, settings } = client;
  if (secretsEncrypted.length === 0)
    throw invalidParameter('The client has no secret: it was made as a public client.');
  if (secretsEncrypted.length >= MAX_SECRETS) {
    throw new ProviderError('LimitExceededException', `A client can have ${MAX_SECRETS} secrets at most.`);
  }
  return {
    settings: { ...settings, secretNotes: [...clientSecretMetadata(client), metadata] },
    secretsEncrypted: [...secretsEncrypted, encrypted],
  };
}

/**
 * A client's secrets without one.
 * @throws {ProviderError} `ResourceNotFoundException`; `InvalidParameterException`: it is the last one
 */
export function withoutClientSecret(client: ClientRecord, secretId: string): Secrets {
  const known = clientSecretMetadata(client);
  const index = known.findIndex(({ id }) => id === secretId);
  if (index === -1) throw new ProviderError('ResourceNotFoundException', 'The client secret does not exist.');
  // Without any, everybody could speak for the client.
  if (known.length === 1) throw invalidParameter('The last secret of a client cannot be deleted.');
  const keep = (_: unknown, position: number) => position !== index;
  return {
    settings: { ...client.settings, secretNotes: known.filter(keep) },
    secretsEncrypted: client.secretsEncrypted.filter(keep),
  };
}

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
