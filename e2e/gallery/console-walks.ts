import type * as playwright from 'playwright-core';
import { createOAuthClient } from '../support/oauth/oauth-client.ts';
import { addUser } from '../support/services/test-service.ts';
import type { ViewName } from './scenes.ts';
import { enter, enterAccount, operate, type Stage } from './stage.ts';

const USERS = ['ada', 'barbara', 'dorothy', 'edith', 'frances', 'hedy', 'jean', 'karen', 'margaret', 'radia'];

/** Fills the pool with what the screens of the console show. */
async function fillPool(stage: Stage): Promise<Readonly<Record<'client' | 'webhook', string>>> {
  const { service } = stage;
  for (const name of USERS) await addUser(service, `${name}@example.com`);
  for (const [GroupName, Description, Precedence] of [
    ['administrators', 'Can change everything', 1],
    ['editors', 'Can publish articles', 5],
  ]) {
    await operate(stage, 'CreateGroup', { GroupName, Description, Precedence });
    for (const name of USERS.slice(0, 3))
      await operate(stage, 'AdminAddUserToGroup', { GroupName, Username: `${name}@example.com` });
  }
  const UserAttributes = [
    { Name: 'name', Value: 'Ada Lovelace' },
    { Name: 'phone_number', Value: '+442079460000' },
  ];
  await operate(stage, 'AdminUpdateUserAttributes', { Username: 'ada@example.com', UserAttributes });
  await operate(stage, 'AdminDisableUser', { Username: 'edith@example.com' });
  await operate(stage, 'AdminCreateUser', { Username: 'grace@example.com' });
  await service.post('/login', { username: 'ada@example.com', password: 'Wrong-Passw0rd' });
  await (await enterAccount(stage, 'ada2@example.com')).close();
  const client = await createOAuthClient(service, { ClientName: 'Acme Shop', GenerateSecret: true });
  const headers = service.asAdmin;
  const body = { url: 'https://hooks.example.com/poolgate', description: 'Customer data', events: ['user.created'] };
  const made = await service.ask('POST', '/admin/webhooks', { headers, body });
  const key = { label: 'support desk', scopes: ['users:read', 'audit:read'], days: 30 };
  await service.ask('POST', '/admin/keys', { headers, body: key });
  return { client: client.id, webhook: String((made.body.webhook as { readonly id: string }).id) };
}

async function settle(page: playwright.Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[data-part=loading]').waitFor({ state: 'detached' });
}

/** Every screen of the console. */
export async function consoleScreens(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const { client, webhook } = await fillPool(stage);
  const person = await enter(stage, 'console');
  const { page } = person;
  const open = async (place: string, language = 'en'): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${service.baseUrl}/cognito/console?lang=${language}#/${place}`);
    await settle(page);
  };
  await page.locator('input[name=admin-key]').waitFor();
  await camera.view(page, 'console-sign-in');
  await page.locator('input[name=admin-key]').fill(service.adminKey?.bearer ?? '');
  await person.press('submit');
  await page.locator('[data-part=navigation]').waitFor();
  const screens: readonly (readonly [ViewName, string])[] = [
    ['console-overview', ''],
    ['console-users', 'users'],
    ['console-user', 'user/ada%40example.com'],
    ['console-new-user', 'new-user'],
    ['console-groups', 'groups'],
    ['console-group', 'group/editors'],
    ['console-applications', 'applications'],
    ['console-application', `application/${client}`],
    ['console-webhooks', 'webhooks'],
    ['console-webhook', `webhook/${webhook}`],
    ['console-keys', 'keys'],
    ['console-new-key', 'new-key'],
    ['console-audit', 'audit'],
  ];
  for (const [name, place] of screens) {
    await open(place);
    await camera.view(page, name, () => open(place, 'ar'));
  }
  await open('user/ada%40example.com');
  await person.press('delete');
  await page.locator('dialog').waitFor();
  await camera.view(page, 'console-confirmation');
  await person.close();
}
