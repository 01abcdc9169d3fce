import { ProviderError } from '@poolgate/provider';
import type { PoolRuntime } from '../runtime.ts';
import type { SecretNote } from '../settings.ts';
import type { ClientRecord } from '../store/records.ts';
import { newClientSecret, uuid } from './identifiers.ts';
import { sealClientSecret } from './pools.ts';

/** One is used while the other is being brought to the applications. */
const MOST_SECRETS = 2;

const FORM = /^[\w+]{24,64}$/;

/** The secret of a client, what is known of it, and how it is kept. */
export interface MadeSecret {
  readonly secret: string;
  readonly sealed: string;
  readonly note: SecretNote;
}

/**
 * Makes a secret for a client, or takes the one that is given.
 * @throws {ProviderError} `InvalidParameterException`: not of its form
 */
export function makeSecret(
  context: PoolRuntime,
  { poolId, id }: Pick<ClientRecord, 'poolId' | 'id'>,
  given?: string,
): MadeSecret {
  const secret = given ?? newClientSecret(context.random);
  if (!FORM.test(secret)) {
    throw invalid(
      "Value at 'clientSecret' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+]+",
    );
  }
  const note = { id: uuid(context.random), createdAtMs: context.clock.now() };
  return { secret, sealed: sealClientSecret(context, poolId, id, secret), note };
}

/** What is known of each secret of a client. One that came with a client without notes is as old as the client. */
export function secretNotes({ id, secretsSealed, settings, createdAtMs }: ClientRecord): readonly SecretNote[] {
  return secretsSealed.map((_, index) => settings.secretNotes?.[index] ?? { id: `${id}-${index}`, createdAtMs });
}

type Secrets = Pick<ClientRecord, 'settings' | 'secretsSealed'>;

/**
 * A client's secrets with a further one.
 * @throws {ProviderError} `InvalidParameterException`: it is public; `LimitExceededException`: it has two
 */
export function withSecret(client: ClientRecord, { sealed, note }: MadeSecret): Secrets {
  const { secretsSealed, settings } = client;
  if (secretsSealed.length === 0) throw invalid('The client has no secret: it was made as a public client.');
  if (secretsSealed.length >= MOST_SECRETS) {
    throw new ProviderError('LimitExceededException', `A client can have ${MOST_SECRETS} secrets at most.`);
  }
  return {
    settings: { ...settings, secretNotes: [...secretNotes(client), note] },
    secretsSealed: [...secretsSealed, sealed],
  };
}

/**
 * A client's secrets without one.
 * @throws {ProviderError} `ResourceNotFoundException`; `InvalidParameterException`: it is the last one
 */
export function withoutSecret(client: ClientRecord, secretId: string): Secrets {
  const notes = secretNotes(client);
  const index = notes.findIndex(({ id }) => id === secretId);
  if (index === -1) throw new ProviderError('ResourceNotFoundException', 'The client secret does not exist.');
  // Without any, everybody could speak for the client.
  if (notes.length === 1) throw invalid('The last secret of a client cannot be deleted.');
  const keep = (_: unknown, place: number) => place !== index;
  return {
    settings: { ...client.settings, secretNotes: notes.filter(keep) },
    secretsSealed: client.secretsSealed.filter(keep),
  };
}

function invalid(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
