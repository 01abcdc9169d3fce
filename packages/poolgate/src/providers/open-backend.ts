/**
 * The providers, one row each: the embedded pool and Amazon Cognito. A `Backend` contains the port and does what a start needs, such as
 * creating the pool and its demo user.
 */
import type { ProviderName } from '../config/provider-settings.ts';
import { StartError } from '../process/start-error.ts';
import type { Backend, BackendDeps, OpenBackend, ProviderHooks } from './backend.ts';

/** Opens each provider. Only the code of the chosen one is loaded. */
const OPEN: Readonly<Record<ProviderName, OpenBackend>> = {
  embedded: async (parts) => (await import('./embedded-backend.ts')).openEmbeddedBackend(parts),
  cognito: async (parts) => (await import('./cognito-backend.ts')).openCognitoBackend(parts),
};

/** The hooks that each provider ignores. */
const UNUSED_HOOKS: Readonly<Record<ProviderName, readonly (keyof ProviderHooks)[]>> = {
  embedded: ['cognitoLimits'],
  cognito: ['claims', 'migrate', 'signingKeys'],
};

function refuseUnusedHooks(provider: ProviderName, hooks: ProviderHooks): void {
  const idle = UNUSED_HOOKS[provider].filter((name) => hooks[name] !== undefined);
  if (idle.length > 0) {
    throw new StartError('setting_refused', `${idle.join(', ')}: has no effect with IDP_PROVIDER=${provider}`);
  }
}

/**
 * Opens the configured provider.
 * @throws StartError `setting_refused`: nothing would call a hook; or the provider cannot be opened
 */
export async function openBackend(parts: BackendDeps): Promise<Backend> {
  const { provider } = parts.configuration.settings;
  refuseUnusedHooks(provider, parts.hooks);
  return OPEN[provider](parts);
}
