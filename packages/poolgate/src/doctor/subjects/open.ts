import type { ProviderName } from '../../config/provider.ts';
import type { Finding } from '../finding.ts';
import type { OpenSubject, Subject, Visit } from './subject.ts';

const OPEN: Readonly<Record<ProviderName, OpenSubject>> = {
  embedded: async (visit) => (await import('./embedded.ts')).openEmbeddedSubject(visit),
  cognito: async (visit) => (await import('./cognito.ts')).openCognitoSubject(visit),
};

/**
 * Opens the provider that the configuration names. The embedded pool opens its store, as every command does; before that
 * is there and up to date, it is not looked at.
 * @throws StartError where it cannot be opened
 */
export function openSubject(visit: Visit): Promise<Subject | Finding> {
  return OPEN[visit.configuration.settings.provider](visit);
}
