import type { ProviderName } from '../config/provider.ts';
import type { Backend, BackendParts, OpenBackend } from './backend.ts';

/** How each provider is opened. The code of one is not loaded for the other. */
const OPEN: Readonly<Record<ProviderName, OpenBackend>> = {
  embedded: async (parts) => (await import('./embedded.ts')).openEmbedded(parts),
  cognito: async (parts) => (await import('./cognito.ts')).openCognito(parts),
};

/**
 * Opens the provider that the configuration names.
 * @throws StartError where it cannot be used with what the start was given
 */
export function openBackend(parts: BackendParts): Promise<Backend> {
  return OPEN[parts.configuration.settings.provider](parts);
}
