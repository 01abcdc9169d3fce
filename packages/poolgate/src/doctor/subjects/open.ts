import type { ProviderName } from '../../config/provider.ts';
import type { Finding } from '../finding.ts';
import type { CheckedProvider, CheckUpContext, OpenCheckedProvider } from './subject.ts';

const OPEN: Readonly<Record<ProviderName, OpenCheckedProvider>> = {
  embedded: async (visit) => (await import('./embedded.ts')).openEmbeddedPool(visit),
  cognito: async (visit) => (await import('./cognito.ts')).openCognitoPool(visit),
};

/**
 * Opens the provider that the configuration names. The embedded pool opens its store, as every command does; before that
 * is there and up to date, it is not looked at.
 * @throws StartError where it cannot be opened
 */
export function openCheckedProvider(context: CheckUpContext): Promise<CheckedProvider | Finding> {
  return OPEN[context.configuration.settings.provider](context);
}
