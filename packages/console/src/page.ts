/** The script of the console's page. */
import { ConsoleClient } from './api/console-client.ts';
import { ConsoleApp } from './app/console-app.ts';
import { findLanguage, loadTranslation } from './translations/catalogue.ts';
import { type ConsoleSettings, SETTINGS_META_NAME } from './ui/page-settings.ts';

async function openConsole(): Promise<void> {
  const { content } = document.querySelector<HTMLMetaElement>(`meta[name=${SETTINGS_META_NAME}]`) ?? { content: '{}' };
  const settings = JSON.parse(content) as ConsoleSettings;
  customElements.define('poolgate-console', ConsoleApp);
  const app = document.createElement('poolgate-console') as ConsoleApp;
  app.settings = settings;
  app.client = new ConsoleClient(settings.prefix);
  app.translation = await loadTranslation(findLanguage(document.documentElement.lang));
  document.getElementById('console')?.replaceChildren(app);
}

void openConsole();
