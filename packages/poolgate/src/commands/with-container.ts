import { createAuditedProvider } from '@poolgate/gateway';
import type { EmbeddedPool } from '@poolgate/pool';
import type { IdentityProvider } from '@poolgate/provider';
import type { Terminal } from '../command-line/command.ts';
import { CommandError } from '../command-line/command.ts';
import { readConfiguration } from '../config/configuration.ts';
import type { Container } from '../container/container.ts';
import { openContainer, setUpPool } from '../container/container.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { findAwsCredentials } from '../providers/aws-credentials.ts';
import type { ServedPool } from '../providers/backend.ts';

/** The container for a command. */
export interface CommandContainer extends Container, ServedPool {
  /** It records its operations, either itself or through a wrapper here. */
  readonly provider: IdentityProvider;
}

/** Opens the configuration's store and provider for one command, without the HTTP service. */
export async function withContainer<Result>(
  { environment, err }: Terminal,
  work: (container: CommandContainer) => Promise<Result>,
): Promise<Result> {
  const awsCredentials = findAwsCredentials(environment);
  const container = await openContainer(
    readConfiguration(environment),
    HOST_SYSTEM,
    (_level, message) => err(message),
    awsCredentials === undefined ? {} : { awsCredentials },
  );
  try {
    const served = { ...container, ...(await setUpPool(container)) };
    return await work({ ...served, provider: auditOperatorCalls(served) });
  } finally {
    await container.close();
  }
}

function auditOperatorCalls(container: Container & ServedPool): IdentityProvider {
  const { provider } = container.backend;
  return provider.recordsEvents
    ? provider
    : createAuditedProvider(provider, { ...container, settings: container.configuration.settings });
}

/**
 * The same for features of the embedded pool.
 * @throws CommandError another provider is configured
 */
export function withEmbeddedPool<Result>(
  terminal: Terminal,
  work: (container: CommandContainer, pool: EmbeddedPool) => Promise<Result>,
): Promise<Result> {
  return withContainer(terminal, async (container) => {
    const { embedded } = container.backend;
    if (embedded === undefined) {
      const { provider } = container.configuration.settings;
      throw new CommandError(`this command needs the embedded pool, but IDP_PROVIDER is ${provider}`);
    }
    return work(container, embedded.pool);
  });
}
