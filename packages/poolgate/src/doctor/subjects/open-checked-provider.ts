import type { ProviderName } from '../../config/provider-settings.ts';
import type { Finding } from '../findings/finding.ts';
import type { CheckedProvider, CheckUpInput, OpenCheckedProvider } from './checked-provider.ts';

const OPEN: Readonly<Record<ProviderName, OpenCheckedProvider>> = {
  embedded: async (visit) => (await import('./checked-embedded-pool.ts')).openCheckedEmbeddedPool(visit),
  cognito: async (visit) => (await import('./checked-cognito-pool.ts')).openCheckedCognitoPool(visit),
};

/**
 * Opens the configured provider. For the embedded pool this opens its store like every command, but only if the store exists and is up to
 * date.
 * @throws StartError the provider cannot be opened
 */
export function openCheckedProvider(context: CheckUpInput): Promise<CheckedProvider | Finding> {
  return OPEN[context.configuration.settings.provider](context);
}
