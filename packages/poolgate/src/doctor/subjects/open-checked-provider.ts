import type { ProviderName } from '../../config/provider-settings.ts';
import type { Finding } from '../findings/finding.ts';
import type { CheckedProvider, CheckUpInput, OpenCheckedProvider } from './checked-provider.ts';

const OPEN: Readonly<Record<ProviderName, OpenCheckedProvider>> = {
  embedded: async (visit) => (await import('./checked-embedded-pool.ts')).openCheckedEmbeddedPool(visit),
  cognito: async (visit) => (await import('./checked-cognito-pool.ts')).openCheckedCognitoPool(visit),
};

/**
 * Opens the provider that the configuration names. The embedded pool opens its store, as every command does; before that
 * is there and up to date, it is not looked at.
 * @throws StartError where it cannot be opened
 */
export function openCheckedProvider(context: CheckUpInput): Promise<CheckedProvider | Finding> {
  return OPEN[context.configuration.settings.provider](context);
}
