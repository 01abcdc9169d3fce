import { CommandError, type RunCommand } from '../command-line/command.ts';
import type { Settings } from '../config/settings.ts';
import { BASE_URL_ISSUER } from '../providers/desired-pool-settings.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withEmbeddedPool } from './with-container.ts';

/** Gives another pool the issuer of the configured kind. */
export const runIssuerUpdate: RunCommand = async (invocation, terminal) => {
  const [poolId = ''] = invocation.operands;
  return withEmbeddedPool(terminal, async ({ userPoolId, configuration: { settings } }, pool) => {
    if (poolId === userPoolId)
      throw new CommandError('the pool that the service serves takes its issuer from IDP_ISSUER at start');
    const issuer = await translateProviderErrors(pool.updateIssuer(poolId, findIssuerBase(settings)));
    terminal.out(`issuer: ${issuer}`);
    return 0;
  });
};

function findIssuerBase({ issuer, baseUrl }: Pick<Settings, 'issuer' | 'baseUrl'>): string | undefined {
  if (issuer !== BASE_URL_ISSUER) return undefined;
  if (baseUrl === undefined) throw new CommandError('IDP_ISSUER is base-url, but BASE_URL is not set');
  return baseUrl;
}
