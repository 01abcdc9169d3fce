import '../testing/happy-dom.ts';
import '../forms.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FirstFactor, LoginParameters, LoginStep, PoolgateErrorFacts } from '@poolgate/client';
import { openPage, visitedUrls } from '../testing/happy-dom.ts';
import {
  createRefusal,
  getEnglishText,
  mountElement,
  type PartialClient,
  SIGNED_IN_USER,
} from '../testing/mount-element.ts';

const DONE: LoginStep = { kind: 'done', username: 'ada', user: SIGNED_IN_USER, rememberDevice: null };
const TYPED = { username: ' ada ', password: ' pw ' };

/** The start of a login, by its method. */
function ways(step: LoginStep = DONE) {
  const begun: (readonly [way: string, given: unknown])[] = [];
  const way = (name: string) => async (given?: unknown) => {
    begun.push([name, given]);
    return step;
  };
  const login = {
    withPassword: way('password'),
    withTriggers: way('triggers'),
    withFactor: way('factor'),
    withPasskey: way('passkey'),
    choose: way('choose'),
  };
  return { begun, login };
}

const refused = (facts: PoolgateErrorFacts, username = 'ada'): LoginStep => ({
  kind: 'refused',
  username,
  error: createRefusal(facts),
  retry: () => assert.fail('nobody asked for another try'),
});

/** A service that offers these first factors. */
const offering = (factors: readonly FirstFactor[], capabilities: readonly string[] = []): PartialClient => ({
  parameters: async () =>
    ({ first_factors: factors, capabilities, password_policy: null }) as unknown as LoginParameters,
});

describe('the first form of a sign-in', () => {
  it('offers identity providers with the marks that their rules allow, and says that one of them failed', async (context) => {
    const providers = ['Google', 'LoginWithAmazon', 'OIDC'].map((type) => ({ name: type, type, url: `/go/${type}` }));
    const given = { providers, providerError: 'declined' } as const;
    const page = await mountElement(context, 'poolgate-sign-in', given);
    // The element loads it, too.
    await import('./provider-buttons.ts');
    await page.type({});
    const links = [...page.element.querySelectorAll('[data-part=providers] a')];
    assert.deepEqual(
      links.map((link) => [link.textContent?.trim(), link.getAttribute('href'), link.querySelector('svg') !== null]),
      [
        ['Continue with Google', '/go/Google', true],
        ['Continue with Amazon', '/go/LoginWithAmazon', false],
        ['Continue with OIDC', '/go/OIDC', false],
      ],
    );
    assert.match(String(page.text('[data-part=providers] [role=alert]')), /didn’t finish signing in/);
  });

  it('starts the login of its flow with the trimmed name and the password as typed', async (context) => {
    const named = { username: 'ada', staySignedIn: false };
    for (const [flow, way, given] of [
      ['password', 'password', { ...named, password: ' pw ' }],
      ['custom-password', 'triggers', { ...named, password: ' pw ' }],
      ['choice', 'choose', named],
      ['custom', 'triggers', named],
    ] as const) {
      const { begun, login } = ways();
      const page = await mountElement(context, 'poolgate-sign-in', { flow }, { client: { login } });
      const asksPassword = page.element.querySelector('input[name=password]') !== null;
      assert.equal(asksPassword, 'password' in given, flow);
      await page.submit(asksPassword ? TYPED : { username: TYPED.username });
      assert.deepEqual(begun, [[way, given]], flow);
    }
  });

  it('sends nothing while a field is empty, and focuses the first of those', async (context) => {
    const { begun, login } = ways();
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login } });
    await page.submit({ username: ' ', password: '' });
    const message = getEnglishText('field.required');
    assert.deepEqual([page.errors, page.focused], [{ username: message, password: message }, 'username']);
    await page.submit({ username: 'ada' });
    assert.deepEqual([page.errors, page.focused, begun], [{ password: message }, 'password', []]);
  });

  it('sends one login at a time', async (context) => {
    const { promise, resolve } = Promise.withResolvers<LoginStep>();
    let count = 0;
    const withPassword = () => {
      count++;
      return promise;
    };
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login: { withPassword } } });
    await page.submit(TYPED);
    assert.equal(page.element.querySelector('[data-name=submit]')?.getAttribute('aria-disabled'), 'true');
    await page.press('submit');
    page.element.querySelector('form')?.requestSubmit();
    resolve(DONE);
    await page.type({});
    assert.equal(count, 1);
  });

  it('shows an error above the fields, and asks for the password again', async (context) => {
    for (const facts of [
      { code: 'invalid_credentials', status: 401 },
      { code: 'network_error' },
      { code: 'feature_disabled', status: 403 },
    ] as const) {
      const { login } = ways(refused(facts));
      const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login } });
      await page.submit(TYPED);
      assert.notEqual(page.alert, '', facts.code);
      assert.equal(page.field('username').value, 'ada');
      assert.equal(page.focused, 'password');
      assert.deepEqual(page.events, []);
    }
  });

  it('ends the login if a retry is impossible', async (context) => {
    const { login } = ways(refused({ code: 'invalid_session', status: 401 }));
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login } });
    await page.submit(TYPED);
    assert.deepEqual(
      [page.title, page.alert],
      [getEnglishText('refused.title'), getEnglishText('error.invalid_session')],
    );
  });

  it('continues to the account, unless the application continues itself', async (context) => {
    for (const [prevents, places] of [
      [[], ['/me']],
      [['signed-in'], []],
    ] as const) {
      openPage('/cognito/login');
      const { login } = ways();
      const links = { signIn: '/in', signUp: '/up', forgotPassword: '/forgot', account: '/me' };
      const page = await mountElement(context, 'poolgate-sign-in', { links }, { client: { login }, prevents });
      await page.submit(TYPED);
      assert.deepEqual(page.events.at(-1), ['signed-in', { username: 'ada', user: SIGNED_IN_USER }]);
      assert.deepEqual(visitedUrls, places);
    }
  });

  it('offers to stay signed in only if the browser keeps a session', async (context) => {
    for (const [mode, stays] of [
      ['session', true],
      ['tokens', false],
    ] as const) {
      const { begun, login } = ways();
      const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login, mode } });
      const check = page.element.querySelector<HTMLInputElement>('input[name=stay]');
      assert.equal(check !== null, stays);
      if (check !== null) check.checked = true;
      await page.submit(TYPED);
      assert.deepEqual(begun, [['password', { username: 'ada', password: ' pw ', staySignedIn: stays }]]);
    }
  });

  it('passes the target of a link to the application, which may navigate itself', async (context) => {
    const page = await mountElement(context, 'poolgate-sign-in', {}, { prevents: ['navigate'] });
    await page.press('forgotPassword');
    await page.press('signUp');
    assert.deepEqual(page.events, [
      ['navigate', { to: 'forgotPassword', href: 'forgot' }],
      ['navigate', { to: 'signUp', href: 'register' }],
    ]);
  });

  it('shows a password only while its button is pressed, and announces it to screen readers', async (context) => {
    const page = await mountElement(context, 'poolgate-sign-in');
    const reveal = page.element.querySelector<HTMLElement>('[data-part=reveal]') ?? assert.fail();
    assert.equal(page.field('password').type, 'password');
    for (const [type, pressed, spoken] of [
      ['text', 'true', 'common.passwordShown'],
      ['password', 'false', 'common.passwordHidden'],
    ] as const) {
      reveal.click();
      await page.type({});
      assert.deepEqual([page.field('password').type, reveal.getAttribute('aria-pressed')], [type, pressed]);
      assert.equal(page.text('[role=status][data-part=live]:last-of-type'), getEnglishText(spoken));
    }
  });
});

describe('the other ways to sign in', () => {
  it('are those that the service offers and the browser supports', async (context) => {
    for (const [factors, browser, actions] of [
      [['PASSWORD'], true, []],
      [['PASSWORD', 'WEB_AUTHN'], true, ['passkey']],
      [['PASSWORD', 'WEB_AUTHN'], false, []],
      [['PASSWORD', 'EMAIL_OTP'], false, ['code']],
      [['WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'], true, ['passkey', 'code']],
    ] as const) {
      if (browser) Object.assign(globalThis, { PublicKeyCredential: class {} });
      const page = await mountElement(context, 'poolgate-sign-in', {}, { client: offering(factors) });
      assert.deepEqual(
        page.actions.filter((name) => name === 'passkey' || name === 'code'),
        actions,
        `${factors}`,
      );
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    }
  });

  it('ask for the name first if the login needs it', async (context) => {
    const { begun, login } = ways();
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { ...offering(['EMAIL_OTP']), login } });
    await page.press('code');
    assert.deepEqual(
      [begun, page.errors, page.focused],
      [[], { username: getEnglishText('field.required') }, 'username'],
    );
    await page.type({ username: ' ada ' });
    await page.press('code');
    assert.deepEqual(begun, [['factor', { username: 'ada', factor: 'EMAIL_OTP', staySignedIn: false }]]);
  });

  it('need no name for a passkey, unless the provider cannot find its owner', async (context) => {
    Object.assign(globalThis, { PublicKeyCredential: class {} });
    context.after(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    const discoverable = ways();
    const client = { ...offering(['WEB_AUTHN'], ['start_discoverable_login']), login: discoverable.login };
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client });
    await page.press('passkey');
    assert.deepEqual(discoverable.begun, [['passkey', { staySignedIn: false }]]);

    const named = ways();
    const other = await mountElement(
      context,
      'poolgate-sign-in',
      {},
      { client: { ...offering(['WEB_AUTHN']), login: named.login } },
    );
    await other.press('passkey');
    assert.deepEqual(named.begun, []);
    await other.type({ username: 'ada' });
    await other.press('passkey');
    assert.deepEqual(named.begun, [['passkey', { staySignedIn: false, username: 'ada' }]]);
  });

  it('stop offering passkeys in the autofill once the login continues or the form is gone', async (context) => {
    const signals: AbortSignal[] = [];
    const autofill = ({ signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    };
    const { login } = ways();
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login: { ...login, autofill } } });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
    await page.submit(TYPED);
    assert.equal(signals[0]?.aborted, true);
    const other = await mountElement(context, 'poolgate-sign-in', {}, { client: { login: { ...login, autofill } } });
    other.element.remove();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });
});

describe('a step-up', () => {
  it('is for the signed-in user: no other name can be typed, and no account created', async (context) => {
    const { begun, login } = ways();
    const properties = { purpose: 'step-up', username: 'ada' };
    const page = await mountElement(context, 'poolgate-sign-in', properties, { client: { login, mode: 'session' } });
    assert.equal(page.title, getEnglishText('stepUp.title'));
    const visible = [...page.element.querySelectorAll('input')].filter(({ hidden }) => !hidden).map(({ name }) => name);
    assert.deepEqual([visible, page.actions], [['password'], ['submit']]);
    await page.submit({ password: 'pw' });
    assert.deepEqual(begun, [['password', { username: 'ada', password: 'pw', staySignedIn: false }]]);
  });

  it('names the user for a passkey, and offers none in the autofill', async (context) => {
    Object.assign(globalThis, { PublicKeyCredential: class {} });
    context.after(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    const { begun, login } = ways();
    const autofill = () => assert.fail('a step-up must not begin another login');
    const client = { ...offering(['WEB_AUTHN'], ['start_discoverable_login']), login: { ...login, autofill } };
    const page = await mountElement(context, 'poolgate-sign-in', { purpose: 'step-up', username: 'ada' }, { client });
    await page.press('passkey');
    assert.deepEqual(begun, [['passkey', { staySignedIn: false, username: 'ada' }]]);
  });

  it('toward a level prompts for nothing before the service says what is missing', async (context) => {
    const asked: unknown[] = [];
    const done = { kind: 'done', username: 'ada', user: null, rememberDevice: null } as unknown as LoginStep;
    const forLevel = async (level: unknown) => {
      asked.push(level);
      return done;
    };
    const properties = { purpose: 'step-up', username: 'ada', acrValues: 'urn:cognito:loa:4', maxAge: 60 };
    const client = { ...offering(['WEB_AUTHN']), login: ways().login, reauthenticate: { forLevel } };
    const page = await mountElement(context, 'poolgate-sign-in', properties, { client });
    assert.deepEqual(page.actions, ['submit']);
    await page.submit({});
    assert.deepEqual(asked, [{ acrValues: 'urn:cognito:loa:4', maxAgeSeconds: 60 }]);
    assert.deepEqual(page.events.at(-1), ['signed-in', { username: 'ada', user: null }]);
  });

  it('does not offer to remember the device', async (context) => {
    const remembering: LoginStep = {
      kind: 'done',
      username: 'ada',
      user: SIGNED_IN_USER,
      rememberDevice: () => assert.fail(),
    };
    const { login } = ways(remembering);
    const page = await mountElement(
      context,
      'poolgate-sign-in',
      { purpose: 'step-up', username: 'ada' },
      { client: { login } },
    );
    await page.submit({ password: 'pw' });
    assert.deepEqual(page.events.at(-1), ['signed-in', { username: 'ada', user: SIGNED_IN_USER }]);
  });
});

describe('a locked password', () => {
  const locked = (...available: readonly string[]): LoginStep => {
    const error = createRefusal({
      code: 'too_many_requests',
      status: 429,
      retryAfterSeconds: 600,
      availableChallenges: available,
    });
    return { kind: 'password', username: 'ada', error, submit: () => assert.fail() };
  };

  it('offers the ways to sign in without it that the browser supports', async (context) => {
    for (const [browser, offered] of [
      [false, ['EMAIL_OTP', 'SMS_OTP']],
      [true, ['WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP']],
    ] as const) {
      if (browser) Object.assign(globalThis, { PublicKeyCredential: class {} });
      const { begun, login } = ways(locked('SMS_OTP', 'EMAIL_OTP', 'WEB_AUTHN', 'PASSWORD'));
      const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login } });
      await page.submit(TYPED);
      assert.equal(page.title, getEnglishText('locked.title'));
      assert.match(String(page.text('[data-part=subtitle]')), /\b10\b/);
      const choices = [...page.element.querySelectorAll<HTMLElement>('[data-part=choice]')];
      assert.deepEqual(
        choices.map(({ dataset }) => dataset.name),
        offered,
      );
      await page.press('EMAIL_OTP');
      assert.deepEqual(begun.at(-1), ['factor', { username: 'ada', staySignedIn: false, factor: 'EMAIL_OTP' }]);
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    }
  });

  it('shows a short wait if the service does not say how long', async (context) => {
    const error = createRefusal({ code: 'too_many_requests', status: 429, availableChallenges: [] });
    const { login } = ways({ kind: 'password', username: 'ada', error, submit: () => assert.fail() });
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login } });
    await page.submit(TYPED);
    assert.match(String(page.text('[data-part=subtitle]')), /\b1 second\b/);
  });

  it('can be reset or retried later, even without another way to sign in', async (context) => {
    const { login } = ways(locked());
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login }, prevents: ['navigate'] });
    await page.submit(TYPED);
    assert.equal(page.element.querySelector('[data-part=choice]'), null);
    assert.ok(page.actions.includes('forgotPassword'));
    await page.press('restart');
    assert.equal(page.title, getEnglishText('signIn.title'));
  });
});

describe('an account that is not ready for a sign-in', () => {
  it('is confirmed first: a code is sent, and then the sign-in starts again', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const calls: unknown[] = [];
    const resume = (given: unknown) => ({
      resend: async () => void calls.push(['resend', given]),
      verify: async (code: string) => {
        calls.push(['verify', code]);
        return null;
      },
    });
    const { login } = ways(refused({ code: 'user_not_confirmed', status: 403 }, 'ada@example.com'));
    const client = { login, signUp: { resume } } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client });
    await page.submit(TYPED);
    assert.deepEqual([page.title, calls], [getEnglishText('verify.title'), [['resend', { email: 'ada@example.com' }]]]);
    await page.submit({ code: '12 34 56' });
    assert.deepEqual(calls.at(-1), ['verify', '123456']);
    assert.deepEqual([page.title, page.notice], [getEnglishText('signIn.title'), getEnglishText('verify.done')]);
  });

  it('sets a new password first if an administrator reset it', async (context) => {
    const { login } = ways(refused({ code: 'password_reset_required', status: 403 }));
    const page = await mountElement(context, 'poolgate-sign-in', {}, { client: { login } });
    await page.submit(TYPED);
    assert.deepEqual([page.title, page.field('username').value], [getEnglishText('forgot.title'), 'ada']);
  });
});
