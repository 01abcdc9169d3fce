/**
 * What stands behind the service: the embedded pool or Amazon Cognito, one row each. A `Backend` gives the port and does what a start
 * needs, such as the pool and its demo user.
 */
import type { ProviderName } from '../config/provider-settings.ts';
import { StartError } from '../process/start-error.ts';
import type { Backend, BackendDeps, OpenBackend, ProviderHooks } from './backend.ts';

/** How each provider is opened. The code of one is not loaded for the other. */
const OPEN: Readonly<Record<ProviderName, OpenBackend>> = {
  embedded: async (parts) => (await import('./embedded-backend.ts')).openEmbeddedBackend(parts),
  cognito: async (parts) => (await import('./cognito-backend.ts')).openCognitoBackend(parts),
};

/** What each provider never looks at. */
const UNUSED_HOOKS: Readonly<Record<ProviderName, readonly (keyof ProviderHooks)[]>> = {
  embedded: ['cognitoLimits'],
  cognito: ['claims', 'migrate', 'signingKeys'],
};

function refuseUnusedHooks(provider: ProviderName, hooks: ProviderHooks): void {
  const idle = UNUSED_HOOKS[provider].filter((name) => hooks[name] !== undefined);
  if (idle.length > 0) {
    throw new StartError('setting_refused', `${idle.join(', ')}: does nothing with IDP_PROVIDER=${provider}`);
  }
}

/**
 * Opens the provider that the configuration names.
 * @throws StartError `setting_refused` for a hook that nothing would call; where it cannot be used with what the start was given
 */
export async function openBackend(parts: BackendDeps): Promise<Backend> {
  const { provider } = parts.configuration.settings;
  refuseUnusedHooks(provider, parts.hooks);
  return OPEN[provider](parts);
}
