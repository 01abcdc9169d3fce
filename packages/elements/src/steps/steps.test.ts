import '../testing/happy-dom.ts';
import '../forms.ts';

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { LoginStep, StepKind, StepOf } from '@poolgate/client';
import {
  createRefusal,
  getEnglishText,
  type MountedElement,
  mountElement,
  SIGNED_IN_USER,
} from '../testing/mount-element.ts';

type Given<Kind extends StepKind> = Partial<StepOf<Kind>>;

const WAITING = { username: 'ada', error: null } as const;
const DONE: LoginStep = { kind: 'done', username: 'ada', user: SIGNED_IN_USER, rememberDevice: null };

/** The calls with their arguments. */
function recorder() {
  const calls: unknown[][] = [];
  const recorded =
    (name: string, next: LoginStep | (() => LoginStep | Promise<LoginStep>) = DONE) =>
    async (...given: unknown[]): Promise<LoginStep> => {
      calls.push([name, ...given]);
      return typeof next === 'function' ? next() : next;
    };
  return { calls, recorded };
}

/** A sign-in that shows the given step. */
async function show<Kind extends StepKind>(
  context: TestContext,
  kind: Kind,
  step: Given<Kind>,
): Promise<MountedElement> {
  const first = { ...WAITING, ...step, kind } as unknown as LoginStep;
  const client = { login: { withPassword: async () => first } };
  const page = await mountElement(context, 'poolgate-sign-in', {}, { client });
  await page.submit({ username: 'ada', password: 'pw' });
  return page;
}

const signedIn = ['signed-in', { username: 'ada', user: SIGNED_IN_USER }];

describe('a step with a code', () => {
  const recoveryCode = { kind: 'recoveryCode', ...WAITING } as LoginStep;

  for (const [kind, more] of [
    ['totp', {}],
    [
      'sentCode',
      {
        channel: 'email',
        destination: 'a***@e***',
        resend: null,
        resendAtMs: 0,
        expiresAtMs: null,
        codesLeft: 4,
        useRecoveryCode: null,
      },
    ],
    ['setUpAuthenticator', { secretCode: 'ABCD', qrCodeUrl: 'data:image/png;base64,x', uri: 'otpauth://totp/x' }],
  ] as const) {
    it(`sends only digits, in any pasted form: ${kind}`, async (context) => {
      for (const pasted of ['123456', ' 123 456 ', '123-456', '１２３４５６', '123\u00a0456']) {
        const { calls, recorded } = recorder();
        const page = await show(context, kind, { ...more, submit: recorded('submit') } as Given<typeof kind>);
        assert.equal(page.field('code').autocomplete, 'one-time-code');
        assert.equal(page.field('code').getAttribute('inputmode'), 'numeric');
        assert.equal(page.focused, 'code');
        await page.submit({ code: pasted });
        assert.deepEqual(calls, [['submit', '123456']], JSON.stringify(pasted));
        assert.deepEqual(page.events.at(-1), signedIn);
      }
    });

    it(`sends nothing without a code, and shows an error at the field: ${kind}`, async (context) => {
      const { calls, recorded } = recorder();
      const page = await show(context, kind, { ...more, submit: recorded('submit') } as Given<typeof kind>);
      await page.submit({ code: '  ' });
      assert.deepEqual([calls, page.errors], [[], { code: getEnglishText('field.required') }]);
      assert.equal(page.focused, 'code');
      const field = page.field('code');
      assert.equal(field.getAttribute('aria-invalid'), 'true');
      assert.match(String(field.getAttribute('aria-describedby')), new RegExp(`${field.id}-error`));
    });
  }

  it('shows a wrong code at the field, keeps the step and accepts another one', async (context) => {
    const { calls, recorded } = recorder();
    const wrong = { ...WAITING, kind: 'totp', error: createRefusal({ code: 'code_mismatch', status: 400 }) } as const;
    const submit = recorded('submit', () =>
      calls.length === 1 ? ({ ...wrong, submit } as unknown as LoginStep) : DONE,
    );
    const page = await show(context, 'totp', { submit });
    await page.submit({ code: '111111' });
    assert.deepEqual(page.errors, { code: getEnglishText('error.code_mismatch') });
    assert.deepEqual([page.focused, page.title], ['code', getEnglishText('totp.title')]);
    await page.submit({ code: '222222' });
    assert.deepEqual(calls, [
      ['submit', '111111'],
      ['submit', '222222'],
    ]);
    assert.deepEqual(page.events.at(-1), signedIn);
  });

  it('leads to a recovery code and back, if it is a second factor', async (context) => {
    const totp = { ...WAITING, kind: 'totp' } as unknown as LoginStep;
    const useRecoveryCode = () => ({ ...recoveryCode, back: () => totp }) as StepOf<'recoveryCode'>;
    const page = await show(context, 'totp', { useRecoveryCode });
    await page.press('recovery');
    assert.deepEqual([page.title, page.focused], [getEnglishText('recovery.title'), 'code']);
    await page.press('back');
    assert.equal(page.title, getEnglishText('totp.title'));
    const without = await show(context, 'sentCode', { channel: 'sms', resend: null, useRecoveryCode: null });
    assert.ok(!without.actions.includes('recovery'));
  });

  it('sends a recovery code as it was typed', async (context) => {
    const { calls, recorded } = recorder();
    const page = await show(context, 'recoveryCode', { submit: recorded('submit'), back: () => assert.fail() });
    assert.equal(page.field('code').getAttribute('inputmode'), null);
    await page.submit({ code: 'abcd-efgh-ijkl' });
    assert.deepEqual(calls, [['submit', 'abcd-efgh-ijkl']]);
  });

  it('shows where a code was sent, and how', async (context) => {
    for (const [channel, destination, title] of [
      ['email', 'a***@e***', 'sentCode.emailTitle'],
      ['sms', '+*******42', 'sentCode.smsTitle'],
      ['sms', null, 'sentCode.smsTitle'],
    ] as const) {
      const page = await show(context, 'sentCode', { channel, destination, resend: null, useRecoveryCode: null });
      assert.equal(page.title, getEnglishText(title));
      const subtitle = page.text('[data-part=subtitle]') ?? '';
      if (destination === null) assert.equal(subtitle, getEnglishText('sentCode.subtitleNowhere'));
      else assert.ok(subtitle.includes(destination), subtitle);
    }
  });
});

describe('another code', () => {
  const START_MS = Date.parse('2026-01-31T12:00:00Z');
  const counted = (page: MountedElement) => page.text('[data-name=resend-wait]');

  it('is offered once the wait is over, with a countdown in seconds', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
    const { calls, recorded } = recorder();
    const step = {
      kind: 'sentCode',
      ...WAITING,
      channel: 'email',
      destination: null,
      isSecondFactor: false,
      codesLeft: 4,
      useRecoveryCode: null,
      submit: recorded('submit'),
    } as const;
    const resend = recorded('resend', () => ({ ...step, resend, resendAtMs: Date.now() + 5000, expiresAtMs: null }));
    const page = await show(context, 'sentCode', { ...step, resend, resendAtMs: START_MS + 2500, expiresAtMs: null });
    assert.match(String(counted(page)), /\b3\b/);
    assert.ok(!page.actions.includes('resend'));
    for (const left of [/\b2\b/, /\b1\b/]) {
      context.mock.timers.tick(1000);
      await page.type({});
      assert.match(String(counted(page)), left);
    }
    context.mock.timers.tick(500);
    await page.type({});
    assert.equal(counted(page), undefined);
    await page.press('resend');
    assert.deepEqual(calls, [['resend']]);
    assert.match(String(counted(page)), /\b5\b/);
    assert.ok(!page.actions.includes('resend'));
  });

  it('counts down how long the code works, and says when it has expired', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
    const resend = async () => assert.fail('nothing was pressed');
    const step = { channel: 'email', destination: null, resend, resendAtMs: START_MS + 30_000, codesLeft: 4 } as const;
    const page = await show(context, 'sentCode', { ...step, useRecoveryCode: null, expiresAtMs: START_MS + 150_000 });
    const expiry = () => page.text('[data-name=expiry]');
    assert.match(String(expiry()), /2:30/);
    for (const [passed, shown] of [
      [1000, /2:29/],
      [59_000, /1:30/],
      [1000, /1:29/],
    ] as const) {
      context.mock.timers.tick(passed);
      await page.type({});
      assert.match(String(expiry()), shown, 'the page counts, also after another code could be sent');
    }
    context.mock.timers.tick(120_000);
    await page.type({});
    assert.equal(expiry(), getEnglishText('code.expired'));
  });

  it('announces the last code of the hour, and offers the other ways to sign in', async (context) => {
    const sent = {
      ...WAITING,
      kind: 'sentCode',
      channel: 'email',
      destination: null,
      resendAtMs: 0,
      useRecoveryCode: null,
    };
    const last = { ...sent, codesLeft: 0, resend: async () => last } as unknown as LoginStep;
    const page = await show(context, 'sentCode', { ...sent, codesLeft: 1, resend: async () => last } as never);
    assert.ok(page.text('[data-part=stack]')?.includes(getEnglishText('code.oneLeft')));
    await page.press('resend');
    assert.equal(page.notice, getEnglishText('code.resentLast'));
    assert.equal(page.text('[data-name=last-code]'), getEnglishText('code.last'));
    assert.ok(!page.actions.includes('resend'));
    await page.press('other');
    assert.equal(page.title, getEnglishText('signIn.title'));
  });

  it('submits itself when it is complete for the first time, and later waits for the button', async (context) => {
    const codes: string[] = [];
    const error = createRefusal({ code: 'code_mismatch', status: 400 });
    const submit = async (code: string): Promise<LoginStep> => {
      codes.push(code);
      return { ...step, error } as unknown as LoginStep;
    };
    const step = { ...WAITING, kind: 'totp', submit } as unknown as Given<'totp'>;
    const page = await show(context, 'totp', step);
    for (const typed of ['12345', '12345a', '123 456']) await page.type({ code: typed });
    assert.deepEqual(codes, ['123456']);
    await page.type({ code: '654321' });
    assert.deepEqual(codes, ['123456'], 'a corrected code');
    await page.press('submit');
    assert.deepEqual(codes, ['123456', '654321']);
  });

  it('is not offered if the service sends none in this login', async (context) => {
    const page = await show(context, 'sentCode', {
      channel: 'email',
      resend: null,
      resendAtMs: 0,
      expiresAtMs: null,
      useRecoveryCode: null,
    });
    assert.deepEqual([counted(page), page.actions.includes('resend')], [undefined, false]);
  });
});

describe('a step with a password', () => {
  it('sends it as typed, and names the account for password managers', async (context) => {
    const { calls, recorded } = recorder();
    const step: LoginStep = { ...WAITING, kind: 'password', submit: recorded('submit') };
    const client = { login: { choose: async () => step } };
    const chosen = await mountElement(context, 'poolgate-sign-in', { flow: 'choice' }, { client });
    await chosen.submit({ username: ' ada ' });
    const hidden = chosen.element.querySelector<HTMLInputElement>('input[hidden][name=username]');
    assert.equal(hidden?.value, 'ada');
    await chosen.submit({ password: '' });
    assert.deepEqual(chosen.errors, { password: getEnglishText('field.required') });
    await chosen.submit({ password: ' with spaces ' });
    assert.deepEqual(calls, [['submit', ' with spaces ']]);
  });

  it('sends a new password with the attributes that the pool requires, all of which must be given', async (context) => {
    const { calls, recorded } = recorder();
    const page = await show(context, 'newPassword', {
      requiredAttributes: ['name', 'custom:team'],
      attributes: { name: 'Ada', email: 'ada@example.com' },
      submit: recorded('submit'),
    });
    assert.equal(page.field('name').value, 'Ada');
    assert.equal(page.text('[data-name="custom:team"] label'), 'custom:team');
    await page.submit({ newPassword: '', 'custom:team': ' ' });
    assert.deepEqual(page.errors, {
      newPassword: getEnglishText('field.required'),
      'custom:team': getEnglishText('field.required'),
    });
    assert.deepEqual([page.focused, calls], ['newPassword', []]);
    await page.submit({ newPassword: 'Correct-horse-1', 'custom:team': 'blue' });
    assert.deepEqual(calls, [['submit', 'Correct-horse-1', { name: 'Ada', 'custom:team': 'blue' }]]);
  });
});

describe('a step with a choice', () => {
  it('offers what the service has, in its order, and continues with the choice', async (context) => {
    const firsts = ['WEB_AUTHN', 'EMAIL_OTP', 'PASSWORD', 'SMS_OTP'] as const;
    const seconds = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'] as const;
    for (const factor of firsts) {
      const { calls, recorded } = recorder();
      const page = await show(context, 'selectFactor', { factors: firsts, choose: recorded('choose') });
      assert.deepEqual(
        page.actions.filter((name) => name !== 'not-you'),
        firsts,
      );
      await page.press(factor);
      assert.deepEqual(calls, [['choose', factor]]);
    }
    for (const factor of seconds) {
      const { calls, recorded } = recorder();
      const page = await show(context, 'selectMfa', { factors: seconds, choose: recorded('choose') });
      assert.deepEqual(
        page.actions.filter((name) => name !== 'not-you'),
        seconds,
      );
      await page.press(factor);
      assert.deepEqual(calls, [['choose', factor]]);
    }
  });

  it('accepts no second choice while the first one is being sent', async (context) => {
    const { calls, recorded } = recorder();
    const { promise, resolve } = Promise.withResolvers<LoginStep>();
    const choose = recorded('choose', () => promise);
    const page = await show(context, 'selectFactor', { factors: ['EMAIL_OTP', 'PASSWORD'], choose });
    await page.press('EMAIL_OTP');
    assert.equal(page.element.querySelector('[data-name=PASSWORD]')?.getAttribute('aria-disabled'), 'true');
    await page.press('PASSWORD');
    await page.press('not-you');
    assert.deepEqual(calls, [['choose', 'EMAIL_OTP']]);
    resolve(DONE);
    await page.type({});
    assert.deepEqual(page.events.at(-1), signedIn);
  });
});

describe('a passkey', () => {
  it('is requested only by a click, and shows why the browser returned none', async (context) => {
    const { calls, recorded } = recorder();
    const page = await show(context, 'passkey', { failure: null, use: recorded('use') });
    assert.deepEqual([calls, page.text('[data-name=passkey]')], [[], getEnglishText('common.continue')]);
    await page.press('passkey');
    assert.deepEqual(calls, [['use']]);
    const failed = await show(context, 'passkey', { failure: 'cancelled', use: recorded('use') });
    assert.equal(failed.text('[data-part=subtitle]'), getEnglishText('passkey.cancelled'));
    assert.equal(failed.text('[data-name=passkey]'), getEnglishText('common.retry'));
    await failed.press('other');
    assert.equal(failed.title, getEnglishText('signIn.title'));
  });
});

describe('an account that will be deleted', () => {
  it('is kept only with the button that says so', async (context) => {
    const { calls, recorded } = recorder();
    const deletionAt = '2026-12-12T12:00:00.000Z';
    const page = await show(context, 'keepAccount', { deletionAt, keep: recorded('keep') });
    assert.equal(page.title, getEnglishText('keep.title'));
    assert.match(String(page.text('[data-part=subtitle]')), /Dec 12, 2026/);
    assert.deepEqual(calls, []);
    await page.press('keep');
    assert.deepEqual(calls, [['keep']]);
  });
});

describe('a custom challenge', () => {
  it('shows the texts of the triggers as text, and not the name that the pool adds', async (context) => {
    const { calls, recorded } = recorder();
    const parameters = { USERNAME: 'internal-name', question: '<b>7 × 6?</b>', hint: 'a number' };
    const page = await show(context, 'custom', { parameters, submit: recorded('submit') });
    assert.equal(page.text('[data-part=subtitle]'), '<b>7 × 6?</b> · a number');
    assert.equal(page.element.querySelector('b'), null);
    await page.submit({ answer: '' });
    assert.deepEqual(page.errors, { answer: getEnglishText('field.required') });
    await page.submit({ answer: ' 42 ' });
    assert.deepEqual(calls, [['submit', ' 42 ']]);
  });

  it('clears the field for the next challenge, and keeps the input after an error', async (context) => {
    const { calls, recorded } = recorder();
    const next = (): LoginStep => {
      const error = calls.length === 2 ? createRefusal({ code: 'code_mismatch', status: 400 }) : null;
      return { ...WAITING, error, kind: 'custom', parameters: { question: String(calls.length) }, submit };
    };
    const submit = recorded('submit', next);
    const page = await show(context, 'custom', { parameters: {}, submit });
    await page.submit({ answer: 'first' });
    assert.deepEqual([page.field('answer').value, page.focused], ['', 'answer']);
    await page.submit({ answer: 'second' });
    assert.equal(page.field('answer').value, 'second');
    assert.notEqual(page.alert, '');
  });
});

describe('the end of a login', () => {
  /** A sign-in that ends with a second factor. */
  async function afterSecondFactor(context: TestContext, rememberDevice: StepOf<'done'>['rememberDevice']) {
    const done = { ...DONE, rememberDevice } as LoginStep;
    const page = await show(context, 'totp', { submit: async () => done } as Given<'totp'>);
    await page.submit({ code: '12345' });
    await settles(page, () => page.title !== getEnglishText('totp.title') || isSignedIn(page));
    return page;
  }

  const isSignedIn = ({ events }: MountedElement) => events.some(([name]) => name === 'signed-in');

  /** The prompts are a separate module, and the browser computes digests in another thread. */
  async function settles(page: MountedElement, isReady: () => boolean): Promise<void> {
    for (let turn = 0; turn < 1000 && !isReady(); turn += 1) await page.type({});
  }

  it('offers to remember the device after a second factor, until the user declines', async (context) => {
    context.after(() => localStorage.clear());
    const names: unknown[] = [];
    const rememberDevice = async (name?: string) => void names.push(name);
    const without = await show(context, 'done', { ...DONE, rememberDevice } as Given<'done'>);
    await settles(without, () => isSignedIn(without));
    assert.deepEqual(without.events.at(-1), signedIn, 'a password alone');
    const page = await afterSecondFactor(context, rememberDevice);
    assert.deepEqual(
      [page.title, page.events.some(([name]) => name === 'signed-in')],
      [getEnglishText('device.rememberTitle'), false],
    );
    await page.press('remember');
    assert.deepEqual([names.length, page.events.at(-1)], [1, signedIn]);
    const declined = await afterSecondFactor(context, rememberDevice);
    await declined.press('not-now');
    await settles(declined, () => isSignedIn(declined));
    assert.deepEqual([names.length, declined.events.at(-1)], [1, signedIn]);
    const later = await afterSecondFactor(context, rememberDevice);
    assert.deepEqual([names.length, later.events.at(-1)], [1, signedIn], 'not asked again');
    assert.ok(!JSON.stringify(localStorage).includes('ada'), 'the browser stores no name');
  });

  it('stays if the device could not be remembered, and can be finished without it', async (context) => {
    context.after(() => localStorage.clear());
    const rememberDevice = () => Promise.reject(createRefusal({ code: 'network_error' }));
    const page = await afterSecondFactor(context, rememberDevice);
    await page.press('remember');
    assert.equal(page.alert, getEnglishText('error.network'));
    assert.ok(!page.events.some(([name]) => name === 'signed-in'));
    await page.press('not-now');
    await settles(page, () => isSignedIn(page));
    assert.deepEqual(page.events.at(-1), signedIn);
  });

  it('without success leads back to the start', async (context) => {
    const totp = { ...WAITING, kind: 'totp', submit: async () => refused } as unknown as LoginStep;
    const error = createRefusal({ code: 'invalid_session', status: 401 });
    const refused = { kind: 'refused', username: 'ada', error, retry: () => assert.fail() } as const;
    const page = await show(context, 'totp', totp as StepOf<'totp'>);
    await page.submit({ code: '123456' });
    assert.equal(page.title, getEnglishText('refused.title'));
    assert.equal(page.alert, getEnglishText('error.invalid_session'));
    await page.press('restart');
    assert.deepEqual([page.title, page.alert, page.focused], [getEnglishText('signIn.title'), '', 'username']);
  });
});

describe('an authenticator app that is set up during a login', () => {
  it('shows its key in groups, copies it completely, and links only to an authenticator app', async (context) => {
    const copied: string[] = [];
    context.mock.method(navigator.clipboard, 'writeText', async (text: string) => void copied.push(text));
    const step = { secretCode: 'ABCDEFGHIJ', qrCodeUrl: 'https://auth.example.com/qr.png', uri: 'otpauth://totp/x' };
    const page = await show(context, 'setUpAuthenticator', step);
    assert.equal(page.text('code'), 'ABCD EFGH IJ');
    assert.equal(page.element.querySelector('img[data-part=qr]')?.getAttribute('src'), step.qrCodeUrl);
    assert.equal(page.element.querySelector('a[data-name=open]')?.getAttribute('href'), step.uri);
    await page.press('copy');
    assert.deepEqual([copied, page.notice], [['ABCDEFGHIJ'], getEnglishText('common.copied')]);
    const hostile = { ...step, qrCodeUrl: 'javascript:alert(1)', uri: 'javascript:alert(1)' };
    const other = await show(context, 'setUpAuthenticator', hostile);
    assert.equal(other.element.querySelector('img[data-part=qr], a[data-name=open]'), null);
  });
});
