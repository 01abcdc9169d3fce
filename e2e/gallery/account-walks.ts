import { signInAndTrust } from '../support/browser/page-person.ts';
import { computeNextTotpCode } from '../support/browser/page-service.ts';
import { enableConfirmLinks, findConfirmToken } from '../support/routes/confirm-link.ts';
import { findLastNotMeToken, logInForTokens } from '../support/routes/route-account.ts';
import { addUser, PASSWORD } from '../support/services/test-service.ts';
import { enter, enterAccount, type Stage } from './stage.ts';

/** A sign-up, up to the code. */
export async function signUp(stage: Stage): Promise<void> {
  const { camera } = stage;
  const person = await enter(stage, 'register');
  const { page } = person;
  await page.locator('[data-part=rules]').waitFor();
  await camera.scene(page, 'sign-up');
  await person.type('name', 'Ada Lovelace');
  await person.type('email', 'ada');
  await person.type('password', 'correct-horse');
  await page.locator('[data-part=reveal]').click();
  await person.press('submit');
  await page.locator('[data-part=error]').first().waitFor();
  await person.type('password', 'correct-horse1');
  await page.locator('[data-part=reveal]').click();
  await camera.scene(page, 'sign-up-rules');
  await person.type('email', 'lovelace@example.com');
  await person.type('password', PASSWORD);
  await person.press('submit');
  await person.sees('Confirm your email address');
  await camera.scene(page, 'verify');
  await person.visit('verify');
  await person.sees('Confirm your email address');
  await camera.scene(page, 'verify-asked');
  await person.close();
}

/** A forgotten password, up to the next sign-in. */
export async function recovery(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'mary@example.com';
  await addUser(service, email);
  const person = await enter(stage, 'forgot');
  await person.type('username', email);
  await person.press('submit');
  await person.sees('Set a new password');
  await person.page.locator('[data-part=rules]').waitFor();
  await camera.scene(person.page, 'reset');
  const code = await person.code(email);
  await person.close();
  // In the browser that requested the code, it would sign in.
  const elsewhere = await enter(stage, 'reset');
  await elsewhere.type('username', email);
  await elsewhere.type('password', 'Another-Horse2!');
  await elsewhere.type('code', code);
  await elsewhere.press('submit');
  await elsewhere.page.getByRole('status').filter({ hasText: 'has been changed' }).waitFor();
  await elsewhere.page.locator('[data-name=passkey]').waitFor();
  await camera.scene(elsewhere.page, 'reset-done');
  await elsewhere.close();
}

/** The pages behind the links of emails. */
export async function mailLinks(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'robbed@example.com';
  await addUser(service, email);
  const thief = await logInForTokens(service, email);
  await service.post('/user/changepassword', { password: PASSWORD, new_password: 'Another-Horse2!' }, thief.headers);
  const path = `not-me#${findLastNotMeToken(service, email)}`;
  const person = await enter(stage, path);
  await camera.scene(person.page, 'not-me');
  await person.press('submit');
  await person.sees('All devices are signed out');
  await camera.scene(person.page, 'not-me-done');
  await person.close();
  const again = await enter(stage, path);
  await again.press('submit');
  await again.sees('That didn’t work');
  await camera.scene(again.page, 'link-used');
  await again.close();

  await enableConfirmLinks(service);
  await service.post('/register', { email: 'new@example.com', password: PASSWORD });
  const confirming = await enter(stage, `../confirmUser#${findConfirmToken(service, 'new@example.com')}`);
  await camera.scene(confirming.page, 'confirm-link');
  await confirming.close();
}

/** The parts of a new account. */
export async function newAccount(stage: Stage): Promise<void> {
  const { camera } = stage;
  const person = await enterAccount(stage, 'anna@example.com');
  const { page } = person;
  for (const [name, within] of [
    ['profile', 'poolgate-profile'],
    ['mfa-off', 'poolgate-mfa'],
    ['passkeys-none', 'poolgate-passkeys'],
  ] as const)
    await camera.scene(page, name, within);
  await person.press('edit-email', 'poolgate-profile');
  await person.type('email', 'countess@example.com', 'poolgate-profile');
  await person.press('submit', 'poolgate-profile');
  await page.locator('poolgate-profile input[name=code]').waitFor();
  await camera.scene(page, 'profile-edit', 'poolgate-profile');
  await person.press('set-up', 'poolgate-mfa');
  await page.locator('poolgate-mfa [data-part=qr]').waitFor();
  await camera.scene(page, 'mfa-set-up', 'poolgate-mfa');
  const key = await page.locator('poolgate-mfa [data-part=key] code').innerText();
  await person.type('code', computeNextTotpCode(stage.service, key.replaceAll(/\s/g, '')), 'poolgate-mfa');
  await person.press('submit', 'poolgate-mfa');
  await page.locator('[data-part=codes] li').first().waitFor();
  await camera.scene(page, 'mfa-codes', 'poolgate-mfa');
  await person.press('kept');
  await page.locator('poolgate-mfa').getByText('You have 10 recovery codes left.').waitFor();
  await camera.scene(page, 'mfa-on', 'poolgate-mfa');
  await person.close();
}

/** An account in use: passkeys, devices, sessions, and its end. */
export async function usedAccount(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'emmy@example.com';
  const person = await enterAccount(stage, email);
  const { page } = person;
  await person.addAuthenticator();
  await person.press('add', 'poolgate-passkeys');
  await page.locator('poolgate-passkeys [data-part=item]').waitFor();
  await camera.scene(page, 'passkeys', 'poolgate-passkeys');
  const elsewhere = await enter(stage, 'login');
  await signInAndTrust(elsewhere, email, PASSWORD);
  await elsewhere.close();
  await page.reload();
  await page.locator('poolgate-devices [data-part=item]').nth(1).waitFor();
  await camera.scene(page, 'devices', 'poolgate-devices');
  await person.press('forget', 'poolgate-devices');
  await page.locator('poolgate-devices [data-name=cancel]').waitFor();
  await camera.scene(page, 'devices-forget', 'poolgate-devices');
  await person.press('delete', 'poolgate-delete-account');
  await page.locator('poolgate-delete-account input').waitFor();
  await camera.scene(page, 'delete-account', 'poolgate-delete-account');
  await person.type('word', 'DELETE', 'poolgate-delete-account');
  service.clock.advance(16 * 60_000);
  await person.press('submit', 'poolgate-delete-account');
  await page.locator('dialog input[name=password]').waitFor();
  await camera.scene(page, 'step-up', 'dialog');
  await person.type('password', PASSWORD, 'dialog');
  await person.press('submit', 'dialog');
  await person.sees('Your account will be deleted');
  await camera.scene(page, 'account-deleted');
  await person.close();
}
