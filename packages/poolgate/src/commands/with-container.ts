import { createAuditedProvider } from '@poolgate/gateway';
import type { EmbeddedPool } from '@poolgate/pool';
import type { IdentityProvider } from '@poolgate/provider';
import type { Invocation, Terminal } from '../command-line/command.ts';
import { CommandError, POOL_OPTION } from '../command-line/command.ts';
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

/**
 * Like {@link withContainer}, for the pool that the option `--pool` names. Default: the served pool.
 * @throws CommandError there is no such pool
 */
export function withPool<Result>(
  invocation: Invocation,
  terminal: Terminal,
  work: (container: CommandContainer) => Promise<Result>,
): Promise<Result> {
  return withContainer(terminal, async (container) => work(await selectPool(invocation, container)));
}

async function selectPool(invocation: Invocation, container: CommandContainer): Promise<CommandContainer> {
  const [userPoolId = container.userPoolId] = invocation.values(POOL_OPTION.name);
  if (userPoolId === container.userPoolId) return container;
  if ((await container.provider.describe(userPoolId)) === undefined) {
    const { provider } = container.configuration.settings;
    const hint = provider === 'cognito' ? 'the pool of IDP_USER_POOL_ID is the only one here' : 'check its ID';
    throw new CommandError(`the user pool ${userPoolId} does not exist: ${hint}`);
  }
  return { ...container, userPoolId };
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

/** Like {@link withEmbeddedPool}, for the pool that the option `--pool` names. */
export function withNamedEmbeddedPool<Result>(
  invocation: Invocation,
  terminal: Terminal,
  work: (container: CommandContainer, pool: EmbeddedPool) => Promise<Result>,
): Promise<Result> {
  return withEmbeddedPool(terminal, async (container, pool) => work(await selectPool(invocation, container), pool));
}
