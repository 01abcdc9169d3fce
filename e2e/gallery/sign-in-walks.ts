import { computeNextTotpCode } from '../support/browser/page-service.ts';
import { logInForTokens } from '../support/routes/route-account.ts';
import { createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, inviteUser, PASSWORD } from '../support/services/test-service.ts';
import { enter, operate, type Stage, signIn } from './stage.ts';

/** The first form and its messages. */
export async function firstForm(stage: Stage): Promise<void> {
  const { camera } = stage;
  const person = await enter(stage, 'login');
  const { page } = person;
  await page.locator('[data-name=passkey]').waitFor();
  await camera.scene(page, 'sign-in');
  await person.press('submit');
  await page.locator('[data-part=error]').first().waitFor();
  await camera.scene(page, 'sign-in-empty');
  await person.type('username', 'ada@example.com');
  await person.type('password', 'Wrong-Horse1!');
  await page.locator('[data-part=reveal]').click();
  await person.press('submit');
  await page.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor();
  await person.type('password', 'Wrong-Horse1!');
  await page.locator('[data-part=reveal]').click();
  await camera.scene(page, 'sign-in-wrong');
  // The service does not respond while the picture is taken.
  await page.route('**/login/srp', () => undefined);
  await person.press('submit');
  await page.locator('[data-part=spinner]').waitFor();
  await camera.scene(page, 'sign-in-busy');
  await person.close();
}

/** The messages of the first form if the service does not respond, or not now. */
export async function troubles(stage: Stage): Promise<void> {
  const { camera } = stage;
  const person = await enter(stage, 'login');
  const { page } = person;
  await page.locator('[data-name=passkey]').waitFor();
  await page.route('**/login/srp', (route) => route.abort());
  await signIn(person, 'ada@example.com');
  await page.getByRole('alert').filter({ hasText: 'Can’t reach the service' }).waitFor();
  await camera.scene(page, 'sign-in-offline');
  await page.unroute('**/login/srp');
  for (let times = 0; times < 5; times += 1) {
    await stage.service.post('/login', { username: 'locked@example.com', password: 'Wrong-Horse1!' });
  }
  await signIn(person, 'locked@example.com', 'Wrong-Horse1!');
  await person.sees('Password sign-in is paused');
  await camera.scene(page, 'sign-in-limited');
  await person.close();
}

/** The alternatives to the password: their list, a code, a passkey. */
export async function otherWays(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'grace@example.com';
  await addUser(service, email);
  const person = await enter(stage, 'login');
  const { page } = person;
  // None of Poolgate's buttons requests the list; an application's own button can, through the client.
  await page.evaluate(async (username) => {
    const element = document.querySelector('poolgate-sign-in') as unknown as {
      readonly service: { readonly login: { choose(login: object): Promise<object> } };
      show(step: object): void;
    };
    element.show(await element.service.login.choose({ username }));
  }, email);
  await person.sees('How do you want to sign in?');
  await camera.scene(page, 'step-select-factor');
  await person.press('PASSWORD');
  await page.locator('input[name=password]').waitFor();
  await camera.scene(page, 'step-password');
  await person.press('not-you');
  await person.type('username', email);
  await person.press('code');
  await person.sees('Check your email');
  await camera.scene(page, 'step-sent-code');
  await person.type('code', '00000000');
  await person.press('submit');
  await page.locator('[data-part=error]').waitFor();
  await camera.scene(page, 'step-sent-code-wrong');
  await person.visit('login');
  await page.locator('[data-name=passkey]').waitFor();
  const authenticator = await person.addAuthenticator();
  await authenticator.setUserVerified(false);
  await person.press('passkey');
  await person.sees('Use your passkey');
  await page.getByText('was canceled').waitFor();
  await camera.scene(page, 'step-passkey');
  await person.close();
}

/** The steps that a pool may require after the password. */
export async function afterThePassword(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'katherine@example.com';
  await addUser(service, email);
  const secretCode = await createActiveAuthenticator(service, email);
  const person = await enter(stage, 'login');
  const { page } = person;
  await signIn(person, email);
  await person.sees('Enter your authentication code');
  await camera.scene(page, 'step-totp');
  await person.press('recovery');
  await person.sees('Enter a recovery code');
  await camera.scene(page, 'step-recovery-code');
  await person.press('back');
  await person.sees('Enter your authentication code');
  await person.type('code', computeNextTotpCode(stage.service, secretCode));
  await person.press('submit');
  await person.sees('Trust this device?');
  await camera.scene(page, 'step-done');
  await person.close();

  const waiting = await enter(stage, 'login');
  await signIn(waiting, email);
  await waiting.sees('Enter your authentication code');
  service.clock.advance(60 * 60_000);
  await waiting.type('code', computeNextTotpCode(stage.service, secretCode));
  await waiting.press('submit');
  await waiting.sees('That didn’t work');
  await camera.scene(waiting.page, 'step-refused');
  await waiting.close();

  const invited = await enter(stage, 'login');
  await inviteUser(service, 'invited@example.com');
  await operate(stage, 'AdminSetUserPassword', {
    Username: 'invited@example.com',
    Password: PASSWORD,
    Permanent: false,
  });
  await signIn(invited, 'invited@example.com');
  await invited.sees('Choose a new password');
  await invited.type('newPassword', 'correct');
  await camera.scene(invited.page, 'step-new-password');
  await invited.close();
}

/** The question after a sign-in to an account that will be deleted. */
export async function deletedAccount(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'mary@example.com';
  await addUser(service, email);
  const { headers } = await logInForTokens(service, email);
  await service.post('/user/deletion', { confirm: true }, headers);
  const person = await enter(stage, 'login');
  await signIn(person, email);
  await person.sees('Keep your account?');
  await camera.scene(person.page, 'step-keep-account');
  await person.close();
}

/** A user with two second steps and no preference. */
export async function twoSecondSteps(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const Username = 'joan@example.com';
  await addUser(service, Username);
  await createActiveAuthenticator(service, Username);
  const phone = [
    { Name: 'phone_number', Value: '+442079460000' },
    { Name: 'phone_number_verified', Value: 'true' },
  ];
  await operate(stage, 'AdminUpdateUserAttributes', { Username, UserAttributes: phone });
  const Enabled = { Enabled: true, PreferredMfa: false };
  await operate(stage, 'AdminSetUserMFAPreference', {
    Username,
    SMSMfaSettings: Enabled,
    SoftwareTokenMfaSettings: Enabled,
  });
  const person = await enter(stage, 'login');
  await signIn(person, Username);
  await person.sees('Verify it’s you');
  await camera.scene(person.page, 'step-select-mfa');
  await person.close();
}

/** The steps of a stricter pool: a required second step, a question of the operator. */
export async function strictPool(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const email = 'dorothy@example.com';
  await addUser(service, email);
  const setUp = await enter(stage, 'login');
  await signIn(setUp, email);
  await setUp.sees('Set up an authenticator app');
  await setUp.page.locator('[data-part=qr]').waitFor();
  await camera.scene(setUp.page, 'step-set-up');
  await setUp.close();

  await operate(stage, 'UpdateUserPoolClient', {
    ClientId: service.clientId,
    ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    PreventUserExistenceErrors: 'ENABLED',
  });
  const asked = await enter(stage, 'login');
  await addUser(service, 'hedy@example.com');
  await asked.page.route('**/login/srp', (route) =>
    route.continue({ postData: JSON.stringify({ ...(route.request().postDataJSON() as object), custom: true }) }),
  );
  await signIn(asked, 'hedy@example.com');
  await asked.sees('One more question');
  await camera.scene(asked.page, 'step-custom');
  await asked.close();
}
