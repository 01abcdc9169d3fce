import '../testing/happy-dom.ts';
import '../forms.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoginParameters, LoginStep, PoolgateErrorFacts, Registration } from '@poolgate/client';
import { createRefusal, getEnglishText, mountElement, SIGNED_IN_USER } from '../testing/mount-element.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'Correct-horse-1';
const WAIT_MS = 30_000;

const POLICY = {
  minimum_length: 10,
  require_lowercase: true,
  require_uppercase: false,
  require_numbers: true,
  require_symbols: false,
  symbols: '!',
} as NonNullable<LoginParameters['password_policy']>;

const parameters = async (): Promise<LoginParameters> =>
  ({ first_factors: ['PASSWORD'], capabilities: [], password_policy: POLICY }) as unknown as LoginParameters;

/** A registration that records its calls, and refuses as often as it is told to. */
function createRegistration(refusals: readonly PoolgateErrorFacts[] = [], login: LoginStep | null = null) {
  const calls: unknown[][] = [];
  const left = [...refusals];
  const registration = {
    email: EMAIL,
    resend: async () => void calls.push(['resend']),
    verify: async (code: unknown, proof: unknown, options: unknown) => {
      assert.deepEqual(options, { signIn: true });
      calls.push(['verify', code, proof]);
      const next = left.shift();
      if (next !== undefined) throw createRefusal(next);
      return login;
    },
  } as unknown as Registration;
  return { calls, registration };
}

describe('a sign-up', () => {
  it('sends trimmed input, and a name only if one was given', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    for (const [name, sent] of [
      [' Ada ', { email: EMAIL, password: PASSWORD, name: 'Ada' }],
      [' ', { email: EMAIL, password: PASSWORD }],
    ] as const) {
      const users: unknown[] = [];
      const register = async (user: unknown) => {
        users.push(user);
        return createRegistration().registration;
      };
      const page = await mountElement(
        context,
        'poolgate-sign-up',
        {},
        { client: { parameters, signUp: { register } } },
      );
      await page.submit({ name, email: ` ${EMAIL} `, password: PASSWORD });
      assert.deepEqual([users, page.events], [[sent], [['signed-up', { username: EMAIL }]]]);
      assert.deepEqual([page.title, page.focused], [getEnglishText('verify.title'), 'code']);
    }
  });

  it('checks the address and the rules of the pool before it sends anything', async (context) => {
    const register = () => assert.fail('nothing may be sent');
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client: { parameters, signUp: { register } } });
    const required = getEnglishText('field.required');
    const [badEmail, badPassword] = [getEnglishText('field.email'), getEnglishText('field.password')];
    for (const [email, password, errors, focused] of [
      ['', '', { email: required, password: required }, 'email'],
      ['ada', PASSWORD, { email: badEmail }, 'email'],
      ['ada@a b', PASSWORD, { email: badEmail }, 'email'],
      [EMAIL, 'short-1', { password: badPassword }, 'password'],
      [EMAIL, 'long-enough-without', { password: badPassword }, 'password'],
      [EMAIL, 'LONG-ENOUGH-12', { password: badPassword }, 'password'],
    ] as const) {
      await page.submit({ email, password });
      assert.deepEqual([page.errors, page.focused], [errors, focused], `${email} ${password}`);
    }
  });

  it('shows which rules of the pool the typed password meets', async (context) => {
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client: { parameters } });
    const met = () =>
      [...page.element.querySelectorAll<HTMLElement>('[data-part=rule]')].map((rule) => rule.hasAttribute('data-met'));
    for (const [password, rules] of [
      ['', [false, false, false]],
      ['a', [false, true, false]],
      ['A1', [false, false, true]],
      ['aaaaaaaaa1', [true, true, true]],
      ['🙂🙂🙂🙂🙂', [false, false, false]],
    ] as const) {
      await page.type({ password });
      assert.deepEqual(met(), rules, password);
    }
  });

  it('distinguishes the rules, and reads them out with the field', async (context) => {
    const policy = { ...POLICY, minimum_length: 8, require_uppercase: true, require_symbols: true };
    const strict = async () => ({ ...(await parameters()), password_policy: policy });
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client: { parameters: strict } });
    const counts: number[] = [];
    for (const password of ['', 'a', 'aB', 'aB1', 'aB1!', 'aB1!aB1!']) {
      await page.type({ password });
      counts.push(page.element.querySelectorAll('[data-part=rule][data-met]').length);
    }
    assert.deepEqual(counts, [0, 1, 2, 3, 4, 5]);
    const described = page.field('password').getAttribute('aria-describedby') ?? '';
    assert.match(document.getElementById(described)?.textContent ?? '', /lower-?case letter/i);
  });

  it('shows at its field that an address is taken, and keeps the input', async (context) => {
    const register = () => Promise.reject(createRefusal({ code: 'user_exists', status: 409 }));
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client: { signUp: { register } } });
    await page.submit({ email: EMAIL, password: PASSWORD });
    assert.deepEqual([Object.keys(page.errors), page.focused], [['email'], 'email']);
    assert.deepEqual([page.field('email').value, page.events], [EMAIL, []]);
  });

  it('continues with the login that the code starts, without a password', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const totp = { kind: 'totp', username: EMAIL, error: null, authenticator: null } as unknown as LoginStep;
    const { registration } = createRegistration([], totp);
    const client = { signUp: { register: async () => registration } };
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client });
    await page.submit({ email: EMAIL, password: PASSWORD });
    await page.submit({ code: '123 456' });
    assert.equal(page.title, getEnglishText('totp.title'));
    assert.deepEqual(
      page.events.find(([name]) => name === 'verified'),
      ['verified', { username: EMAIL, next: totp }],
    );
  });

  it('ends when the login is done', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const done: LoginStep = { kind: 'done', username: 'ada', user: SIGNED_IN_USER, rememberDevice: null };
    const { registration } = createRegistration([], done);
    const client = { signUp: { register: async () => registration } };
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client, prevents: ['signed-in'] });
    await page.submit({ email: EMAIL, password: PASSWORD });
    await page.submit({ code: '123 456' });
    assert.deepEqual(page.events.at(-1), ['signed-in', { username: 'ada', user: SIGNED_IN_USER }]);
  });

  it('continues with the code, and then with a sign-in under that name', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { calls, registration } = createRegistration();
    const client = { signUp: { register: async () => registration } };
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client });
    await page.submit({ email: EMAIL, password: PASSWORD });
    await page.submit({ code: '123 456' });
    assert.deepEqual(calls, [['verify', '123456', undefined]]);
    assert.deepEqual([page.title, page.notice], [getEnglishText('signIn.title'), getEnglishText('verify.done')]);
    assert.equal(page.field('username').value, EMAIL);
  });
});

describe('the code of a sign-up', () => {
  it('can be sent again only after half a minute, and so on', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-31T12:00:00Z') });
    const { calls, registration } = createRegistration();
    const page = await mountElement(context, 'poolgate-verify', { username: EMAIL, registration });
    for (const count of [1, 2]) {
      assert.match(String(page.text('[data-name=resend-wait]')), /\b30\b/);
      for (let passed = 0; passed < WAIT_MS; passed += 1000) {
        assert.ok(!page.actions.includes('resend'), `after ${passed} ms`);
        context.mock.timers.tick(1000);
        await page.type({});
      }
      await page.press('resend');
      assert.deepEqual([calls.length, page.notice], [count, getEnglishText('code.resent')]);
    }
  });

  it('goes on counting down where it was sent before the element was created', async (context) => {
    const now = Date.parse('2026-01-31T12:00:00Z');
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now });
    for (const [codeSentAtMs, wait] of [
      [now - 20_000, '10'],
      [now - WAIT_MS, undefined],
      [now + 20_000, '30'],
    ] as const) {
      const { registration } = createRegistration();
      const page = await mountElement(context, 'poolgate-verify', { username: EMAIL, registration, codeSentAtMs });
      assert.equal(/\d+/.exec(page.text('[data-name=resend-wait]') ?? '')?.[0], wait);
      assert.equal(page.actions.includes('resend'), wait === undefined);
    }
  });

  it('counts down in the page only, and continues if its element comes back', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-31T12:00:00Z') });
    const { registration } = createRegistration();
    const page = await mountElement(context, 'poolgate-verify', { username: EMAIL, registration });
    const waits = async (passed: number) => {
      context.mock.timers.tick(passed);
      await page.type({});
      return /\d+/.exec(String(page.text('[data-name=resend-wait]')))?.[0];
    };
    const { parentElement } = page.element;
    page.element.requestUpdate();
    page.element.remove();
    assert.deepEqual([await waits(0), await waits(5000), await waits(5000)], ['30', '30', '30']);
    parentElement?.append(page.element);
    assert.deepEqual([await waits(0), await waits(1000)], ['20', '19']);
  });

  it('asks for the address if it is unknown, and checks it', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-31T12:00:00Z') });
    const { calls, registration } = createRegistration();
    const resumed: unknown[] = [];
    const resume = (given: unknown) => {
      resumed.push(given);
      return registration;
    };
    const page = await mountElement(context, 'poolgate-verify', {}, { client: { signUp: { resume } } });
    await page.submit({ email: 'ada', code: '1' });
    assert.deepEqual([page.errors, page.focused], [{ email: getEnglishText('field.email') }, 'email']);
    context.mock.timers.tick(WAIT_MS);
    await page.type({});
    await page.press('resend');
    assert.deepEqual([page.errors, resumed], [{ email: getEnglishText('field.email') }, []]);
    await page.submit({ email: ` ${EMAIL} `, code: '1' });
    assert.deepEqual([resumed, calls], [[{ email: EMAIL }], [['verify', '1', undefined]]]);
    assert.deepEqual(page.events, [['verified', { username: EMAIL, next: null }]]);
    assert.equal(page.title, getEnglishText('verify.done'));
  });

  it("submits a typed code only at its full length, which is known only for the pool's own codes", async (context) => {
    for (const [capabilities, expected] of [
      [['confirm_registration'], [['verify', '12345678', undefined]]],
      [[], []],
    ] as const) {
      const { calls, registration } = createRegistration();
      const offered = async () => ({ ...(await parameters()), capabilities: [...capabilities] });
      const properties = { username: EMAIL, registration };
      const page = await mountElement(context, 'poolgate-verify', properties, { client: { parameters: offered } });
      for (const code of ['123456', '12345678']) await page.type({ code });
      assert.deepEqual(calls, expected);
    }
  });

  const required: PoolgateErrorFacts = {
    code: 'password_required',
    status: 422,
    registration: { required_attributes: ['nickname'] },
  };

  /** The form that asks for the password of the sign-up, after a right code. */
  async function proofForm(context: Parameters<typeof mountElement>[0], refusals: readonly PoolgateErrorFacts[]) {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { calls, registration } = createRegistration(refusals);
    const properties = { username: EMAIL, registration };
    const page = await mountElement(context, 'poolgate-verify', properties, { client: { parameters } });
    await page.submit({ code: '123456' });
    // The form is a separate module, which is loaded on demand.
    while (page.element.querySelector('poolgate-registration-proof form') === null) await page.type({});
    return { page, calls };
  }

  it('requires the password of the sign-up if the service asks for it', async (context) => {
    const { page, calls } = await proofForm(context, [required, { code: 'invalid_credentials', status: 401 }]);
    assert.equal(page.title, getEnglishText('claim.title'));
    await page.submit({ password: 'wrong' });
    assert.equal(page.alert, getEnglishText('common.wrongPassword'));
    await page.submit({ password: PASSWORD });
    assert.deepEqual(calls.slice(1), [
      ['verify', '123456', { password: 'wrong' }],
      ['verify', '123456', { password: PASSWORD }],
    ]);
    assert.deepEqual(page.events, [['verified', { username: EMAIL, next: null }]]);
  });

  it('accepts a new password and required attributes if the old one is unknown', async (context) => {
    const { page, calls } = await proofForm(context, [required]);
    await page.press('new');
    assert.equal(page.focused, 'nickname');
    await page.submit({ password: 'short' });
    assert.deepEqual(page.errors, {
      nickname: getEnglishText('field.required'),
      password: getEnglishText('field.password'),
    });
    await page.submit({ nickname: 'Countess', password: PASSWORD });
    assert.deepEqual(calls.at(-1), [
      'verify',
      '123456',
      { newPassword: PASSWORD, attributes: { nickname: 'Countess' } },
    ]);
  });

  it('shows at its field why the service refuses a new password, and accepts another one', async (context) => {
    const fieldErrors = [{ field: 'password', code: 'leaked', message: 'raw' }];
    const { page, calls } = await proofForm(context, [
      required,
      { code: 'validation_failed', status: 422, fieldErrors },
    ]);
    await page.press('new');
    await page.submit({ nickname: 'Countess', password: PASSWORD });
    assert.deepEqual([Object.keys(page.errors), page.focused, page.events], [['password'], 'password', []]);
    await page.submit({ password: `${PASSWORD}2` });
    assert.equal(calls.length, 3);
    assert.deepEqual(page.events, [['verified', { username: EMAIL, next: null }]]);
  });

  it('accepts attributes alone if the registration has no password', async (context) => {
    const { page, calls } = await proofForm(context, [{ ...required, code: 'validation_failed' }]);
    assert.deepEqual([...page.element.querySelectorAll('input[type=password]')], []);
    await page.submit({ nickname: 'Countess' });
    assert.deepEqual(calls.at(-1), ['verify', '123456', { attributes: { nickname: 'Countess' } }]);
  });

  it('is requested again if it was used or expired while the password was typed', async (context) => {
    const { page } = await proofForm(context, [required, { code: 'code_expired', status: 400 }]);
    await page.submit({ password: PASSWORD });
    assert.deepEqual(
      [page.title, page.errors],
      [getEnglishText('verify.title'), { code: getEnglishText('error.code_expired') }],
    );
    assert.deepEqual([page.focused, page.events], ['code', []]);
  });

  it('accepts the old password again after an attempted new one, and asks for nothing optional', async (context) => {
    const proofs: unknown[] = [];
    const confirm = async (proof: unknown) => void proofs.push(proof);
    await import('./define-registration-proof.ts');
    const properties = { requiredAttributes: [], hasPassword: true, confirm };
    const page = await mountElement(context, 'poolgate-registration-proof', properties, { client: { parameters } });
    const fields = () => [...page.element.querySelectorAll('input')].map(({ autocomplete }) => autocomplete);
    assert.deepEqual(fields(), ['current-password']);
    await page.press('new');
    assert.deepEqual([fields(), page.title], [['new-password'], getEnglishText('reset.title')]);
    await page.submit({ password: PASSWORD });
    await page.press('old');
    assert.deepEqual([fields(), page.title], [['current-password'], getEnglishText('claim.title')]);
    await page.submit({ password: 'old' });
    assert.deepEqual(proofs, [{ newPassword: PASSWORD }, { password: 'old' }]);
  });
});

describe('a forgotten password', () => {
  it('is reset with the code that was sent to the name, and starts the sign-in', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const calls: unknown[] = [];
    const password = {
      forgot: async (given: unknown) => {
        calls.push(given);
        return { session: 'session-1', destination: null } as never;
      },
      reset: async (given: unknown) => {
        calls.push(given);
        return null;
      },
    };
    const page = await mountElement(context, 'poolgate-forgot-password', {}, { client: { parameters, password } });
    await page.submit({ username: ' ' });
    assert.deepEqual([page.errors, calls], [{ username: getEnglishText('field.required') }, []]);
    await page.submit({ username: ' ada ' });
    assert.deepEqual([calls, page.focused], [[{ username: 'ada' }], 'code']);
    await page.submit({ code: '', password: 'short' });
    assert.deepEqual(page.errors, {
      code: getEnglishText('field.required'),
      password: getEnglishText('field.password'),
    });
    await page.submit({ code: '123-456', password: PASSWORD });
    assert.deepEqual(calls[1], {
      username: 'ada',
      code: '123456',
      session: 'session-1',
      password: PASSWORD,
      signIn: true,
    });
    assert.deepEqual(page.events, [['password-reset', { username: 'ada', next: null }]]);
    assert.deepEqual([page.title, page.notice], [getEnglishText('signIn.title'), getEnglishText('reset.done')]);
    assert.equal(page.field('username').value, 'ada');
  });

  it('needs another code after too many wrong ones, and sends it in the same session', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-31T12:00:00Z') });
    const asked: unknown[] = [];
    const password = {
      forgot: async (given: unknown) => {
        asked.push(given);
        return { session: 'session-2', destination: null } as never;
      },
      reset: () => Promise.reject(createRefusal({ code: 'too_many_requests', status: 429, retryAfterSeconds: 900 })),
    };
    const properties = { username: 'ada', session: 'session-1' };
    const page = await mountElement(context, 'poolgate-reset-password', properties, {
      client: { parameters, password },
    });
    await page.submit({ code: '1', password: PASSWORD });
    assert.deepEqual([page.errors, page.events], [{ code: getEnglishText('reset.tooManyCodes') }, []]);
    assert.ok(!page.actions.includes('resend'));
    context.mock.timers.tick(WAIT_MS);
    await page.type({});
    await page.press('resend');
    assert.deepEqual(
      [asked, page.notice],
      [[{ username: 'ada', session: 'session-1' }], getEnglishText('code.resent')],
    );
    assert.ok(!page.actions.includes('resend'), 'another code is sent after another wait only');
  });

  it('asks for the name if it is unknown, and then cannot send a code', async (context) => {
    const resets: unknown[] = [];
    const reset = async (given: unknown) => {
      resets.push(given);
      return null;
    };
    const page = await mountElement(
      context,
      'poolgate-reset-password',
      {},
      { client: { parameters, password: { reset } } },
    );
    assert.equal(page.element.querySelector('[data-name=resend-wait], [data-name=resend]'), null);
    await page.submit({ code: '1', password: PASSWORD });
    assert.deepEqual(page.errors, { username: getEnglishText('field.required') });
    await page.submit({ username: 'ada', code: '1' });
    assert.deepEqual(resets, [{ username: 'ada', code: '1', session: undefined, password: PASSWORD, signIn: true }]);
  });
});
