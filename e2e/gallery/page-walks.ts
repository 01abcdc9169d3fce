import { createOAuthClient } from '../support/oauth/oauth-client.ts';
import { FIRST_STATES } from './first-states.ts';
import { enter, enterAccount, type Stage } from './stage.ts';

/** Complete pages, as they open. */
export async function wholePages(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const person = await enter(stage, 'login');
  const { page } = person;
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${service.baseUrl}${path}`);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
  };
  for (const [name, path] of [
    ['page-sign-in', '/cognito/login'],
    ['page-sign-up', '/cognito/register'],
    ['page-not-me', '/cognito/not-me'],
  ] as const) {
    const suffix = name === 'page-not-me' ? '#a-token' : '';
    await visit(path + suffix);
    await camera.view(page, name, () => visit(`${path}?lang=ar${suffix}`));
    await visit('/cognito/login?lang=en');
  }
  await visit('/cognito/no-such-page');
  await camera.view(page, 'page-missing');
  await visit('/oauth2/authorize?client_id=none');
  await camera.view(page, 'page-oauth-error');
  await service.post('/register', { email: 'somebody@example.com', password: 'Correct-Horse1!' });
  await visit('/dev/mail');
  await camera.view(page, 'page-mails');
  await visit('/docs/api');
  await camera.view(page, 'page-docs');
  await person.close();
}

/** Pages of a signed-in user. */
export async function signedInPages(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const person = await enterAccount(stage, 'rosalind@example.com');
  const { page } = person;
  await camera.view(page, 'page-account', async () => {
    await person.visit('account?lang=ar');
    await page.locator('poolgate-devices [data-part=item]').first().waitFor();
  });
  await createOAuthClient(service);
  await page.goto(`${service.baseUrl}/logout`);
  await page.locator('h1').waitFor();
  await camera.view(page, 'page-sign-out');
  await person.close();
}

/** Elements that only need to be opened. */
export async function firstStates(stage: Stage): Promise<void> {
  for (const [name, { chapter, element, page }] of Object.entries(FIRST_STATES)) {
    const isInAccount = chapter === 'account';
    const person = isInAccount ? await enterAccount(stage, `${name}@example.com`) : await enter(stage, page ?? '');
    if (isInAccount && page !== undefined) await person.visit(page);
    if (isInAccount && page === undefined) await person.page.evaluate(addIfMissing, element);
    await person.page.locator(`${element} h1, ${element} h2`).first().waitFor();
    await stage.camera.scene(person.page, name, page === undefined ? element : undefined);
    await person.close();
  }
}

/** The account page does not contain every element of the account. */
function addIfMissing(element: string): void {
  if (document.querySelector(element) === null)
    document.querySelector('[data-part=sections]')?.append(document.createElement(element));
}
