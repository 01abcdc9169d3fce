import '../testing/happy-dom.ts';
import '../account.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoginParameters, PoolgateErrorFacts } from '@poolgate/client';
import { createRefusal, getEnglishText, mountElement, type PartialClient } from '../testing/mount-element.ts';

const PASSWORD = 'Correct-horse-1';
const KEPT = { loginEnded: false };

/** Calls of the service, each by a name. */
function recorder() {
  const calls: unknown[][] = [];
  const recorded =
    <Answer>(name: string, answer: Answer | (() => Answer | Promise<Answer>)) =>
    async (...given: unknown[]): Promise<Answer> => {
      calls.push([name, ...given]);
      return typeof answer === 'function' ? (answer as () => Answer | Promise<Answer>)() : answer;
    };
  return { calls, recorded };
}

/** Refuses as often as there are refusals, then succeeds. */
function refusing(...refusals: readonly PoolgateErrorFacts[]) {
  const left = [...refusals];
  return () => {
    const next = left.shift();
    if (next !== undefined) throw createRefusal(next);
    return KEPT;
  };
}

const parametersWith = (...capabilities: readonly string[]) => ({
  parameters: async (): Promise<LoginParameters> =>
    ({ first_factors: [], capabilities, password_policy: null }) as unknown as LoginParameters,
});

const USER = { username: 'ada', email: 'ada@example.com', attributes: {} };

describe('a section of the account', () => {
  const change = (act: () => unknown) => {
    const { calls, recorded } = recorder();
    const client = {
      profile: { show: async () => USER },
      password: { change: recorded('change', act) },
    } as unknown as PartialClient;
    return { calls, client };
  };
  const typed = { current: 'old', newPassword: PASSWORD };

  it('says why it shows nothing: it is loading, it failed, or the provider lacks the feature', async (context) => {
    const pending = { profile: { show: () => new Promise<never>(() => {}) } };
    const loading = await mountElement(context, 'poolgate-change-password', {}, { client: pending });
    assert.equal(loading.text('[data-part=hint]'), getEnglishText('common.loading'));
    for (const [facts, text, told] of [
      [{ code: 'feature_disabled', status: 403 }, 'common.notSupported', []],
      [{ code: 'network_error' }, 'error.unknown', []],
      [{ code: 'unauthenticated', status: 401 }, 'error.unknown', [['signed-out', { isEnded: true }]]],
    ] as const) {
      const client = { profile: { show: () => Promise.reject(createRefusal(facts)) } };
      const page = await mountElement(context, 'poolgate-change-password', {}, { client });
      assert.deepEqual([page.text('[data-part=hint]'), page.events], [getEnglishText(text), told], facts.code);
    }
  });

  it('notifies the application of a change, and whether it ended the sign-in', async (context) => {
    for (const [loginEnded, told] of [
      [false, ['account-changed']],
      [true, ['signed-out', 'account-changed']],
    ] as const) {
      const { calls, client } = change(() => ({ loginEnded }));
      const page = await mountElement(context, 'poolgate-change-password', {}, { client });
      await page.press('change');
      await page.submit(typed);
      assert.deepEqual(calls, [['change', { current: 'old', next: PASSWORD }]]);
      assert.deepEqual(
        page.events.map(([name]) => name),
        told,
      );
      assert.equal(page.notice, getEnglishText('changePassword.done'));
      assert.deepEqual(page.actions, ['change']);
    }
  });

  it('lets the application sign the user in again, and repeats the change after it', async (context) => {
    const { calls, client } = change(refusing({ code: 'reauthentication_required', status: 403 }));
    const page = await mountElement(context, 'poolgate-change-password', {}, { client, prevents: ['step-up'] });
    await page.press('change');
    await page.submit(typed);
    assert.deepEqual([calls.length, page.alert], [1, '']);
    const [name, detail] = page.events[0] ?? [];
    assert.equal(name, 'step-up');
    (detail as { readonly retry: () => void }).retry();
    await page.type({});
    assert.deepEqual(calls[1], calls[0]);
    assert.equal(page.notice, getEnglishText('changePassword.done'));
  });

  it('shows the error if no application signs the user in again', async (context) => {
    const { calls, client } = change(refusing({ code: 'reauthentication_required', status: 403 }));
    const page = await mountElement(context, 'poolgate-change-password', {}, { client });
    await page.press('change');
    await page.submit(typed);
    assert.deepEqual([calls.length, page.alert], [1, getEnglishText('error.reauthentication_required')]);
  });

  it('reports that the sign-in has ended, and keeps the form', async (context) => {
    const { client } = change(refusing({ code: 'unauthenticated', status: 401 }));
    const page = await mountElement(context, 'poolgate-change-password', {}, { client });
    await page.press('change');
    await page.submit(typed);
    assert.deepEqual(page.events, [['signed-out', { isEnded: true }]]);
    assert.equal(page.field('newPassword').value, PASSWORD);
  });

  it('shows at its field that the current password is wrong, and requires both', async (context) => {
    const { calls, client } = change(refusing({ code: 'invalid_credentials', status: 401 }));
    const page = await mountElement(context, 'poolgate-change-password', {}, { client });
    await page.press('change');
    const message = getEnglishText('field.required');
    await page.submit({});
    assert.deepEqual([page.errors, page.focused, calls], [{ current: message, newPassword: message }, 'current', []]);
    await page.submit(typed);
    assert.equal(page.alert, getEnglishText('common.wrongPassword'));
    assert.deepEqual(page.events, []);
  });

  it('shows the form for a new password only on request, and closes it again', async (context) => {
    const { calls, client } = change(() => KEPT);
    const page = await mountElement(context, 'poolgate-change-password', {}, { client });
    assert.deepEqual([page.actions, page.element.querySelector('input')], [['change'], null]);
    await page.press('change');
    assert.equal(page.focused, 'current');
    await page.press('cancel');
    assert.deepEqual([page.actions, calls], [['change'], []]);
  });

  it('does not take the focus when the account appears', async (context) => {
    const { client } = change(() => KEPT);
    const page = await mountElement(context, 'poolgate-change-password', {}, { client });
    assert.equal(page.focused, undefined);
  });
});

describe('the second factors by message', () => {
  const PROVEN = { email: 'ada@example.com', email_verified: 'true', phone_number: '+15550100' };

  function section(methods: readonly string[], preferred: string | null, attributes: object = PROVEN) {
    const { calls, recorded } = recorder();
    const client = {
      parameters: async () => ({ capabilities: [], mfa: { setup: 'OPTIONAL', types: ['EMAIL_OTP', 'SMS_MFA'] } }),
      profile: { show: async () => ({ ...USER, attributes }) },
      mfa: {
        factors: async () => ({ factors: [], mfa: { enabled: true, methods, preferred }, recoveryCodesLeft: 10 }),
        prefer: recorded('prefer', KEPT),
        deactivate: recorded('deactivate', KEPT),
      },
    } as unknown as PartialClient;
    return { calls, client };
  }

  it('can be turned on if their contact is verified', async (context) => {
    const { calls, client } = section([], null);
    const page = await mountElement(context, 'poolgate-mfa', {}, { client });
    assert.deepEqual(
      page.actions.filter((name) => /EMAIL|SMS/.test(name)),
      ['enable-EMAIL_OTP'],
    );
    assert.ok(page.element.textContent?.includes(getEnglishText('mfa.smsMissing')));
    await page.press('enable-EMAIL_OTP');
    assert.deepEqual(calls, [['prefer', { methods: { EMAIL_OTP: true } }]]);
  });

  it('can be turned off and preferred, and the authenticator app leaves them on', async (context) => {
    const { calls, client } = section(['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], 'SOFTWARE_TOKEN_MFA');
    const page = await mountElement(context, 'poolgate-mfa', {}, { client });
    for (const name of ['prefer-EMAIL_OTP', 'disable-EMAIL_OTP', 'disable']) await page.press(name);
    assert.deepEqual(calls, [
      ['prefer', { methods: { EMAIL_OTP: true }, preferred: 'EMAIL_OTP' }],
      ['prefer', { methods: { EMAIL_OTP: false } }],
      ['prefer', { methods: { SOFTWARE_TOKEN_MFA: false } }],
    ]);
  });
});

describe('the security summary', () => {
  const refused = () => Promise.reject(createRefusal({ code: 'feature_disabled', status: 403 }));

  function summary(given: object) {
    return { profile: { show: async () => ({ ...USER, email_verified: true }) }, ...given } as unknown as PartialClient;
  }

  it('shows what protects the account, and links to the sections that change it', async (context) => {
    const mfa = {
      factors: async () => ({
        factors: [],
        mfa: { enabled: true, methods: ['SOFTWARE_TOKEN_MFA'], preferred: null },
        recoveryCodesLeft: 2,
      }),
    };
    const client = summary({ mfa, passkeys: { list: async () => [] } });
    const page = await mountElement(context, 'poolgate-security-summary', {}, { client });
    const lines = [...page.element.querySelectorAll('[data-part=item]')].map((item) => [
      item.querySelector('[data-part=mark]')?.getAttribute('data-look'),
      item.querySelector('[data-part=item-text]')?.textContent,
      item.querySelector('a')?.getAttribute('href'),
    ]);
    assert.deepEqual(lines, [
      ['success', getEnglishText('security.secondStepOn'), '#authenticator'],
      ['success', 'You have no passkeys.', '#passkeys'],
      ['danger', 'You have 2 recovery codes left.', '#authenticator'],
      ['success', getEnglishText('security.emailProven'), '#profile'],
    ]);
    assert.equal(page.text('[data-part=subtitle]'), getEnglishText('security.improve'));
  });

  it('omits what the service does not offer', async (context) => {
    const client = summary({ mfa: { factors: refused }, passkeys: { list: refused } });
    const page = await mountElement(context, 'poolgate-security-summary', {}, { client });
    assert.equal(page.element.querySelectorAll('[data-part=item]').length, 1);
    assert.equal(page.text('[data-part=subtitle]'), getEnglishText('security.good'));
  });
});

describe('the activity of the account', () => {
  const event = (type: string, more: object = {}) => ({
    id: type,
    timestamp: '2026-01-31T12:00:00Z',
    type,
    outcome: 'success',
    by: 'you',
    client_id: null,
    source_address: '192.0.2.1',
    factor: null,
    ...more,
  });

  it('shows the events that this version knows, and more on request', async (context) => {
    const pages = [
      { items: [event('login.succeeded'), event('user.teleported', { outcome: 'failure' })], nextCursor: 'next' },
      { items: [event('user.disabled', { by: 'administrator', source_address: null })], nextCursor: null },
    ];
    const { calls, recorded } = recorder();
    const client = { profile: { events: recorded('events', () => pages.shift()) } } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-events', {}, { client });
    await page.press('more');
    assert.deepEqual(
      [...page.element.querySelectorAll('bdi')].map(({ textContent }) => textContent),
      ['Signed in', 'Account changed', 'Account disabled'],
    );
    assert.equal(page.text('[data-part=badge]'), getEnglishText('events.failed'));
    assert.match(String(page.element.textContent), /by an administrator/);
    assert.deepEqual(
      [calls, page.actions],
      [
        [
          ['events', { limit: 10 }],
          ['events', { limit: 10, cursor: 'next' }],
        ],
        [],
      ],
    );
  });
});

describe('the connected applications', () => {
  it('lose their access only after a confirmation', async (context) => {
    const application = { client_id: 'shop1', name: '<b>Shop</b>', scopes: ['openid', 'email'], last_used_at: '' };
    const lists = [[application], []];
    const { calls, recorded } = recorder();
    const client = {
      applications: { list: async () => lists.shift() ?? [], end: recorded('end', undefined) },
    } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-applications', {}, { client });
    assert.deepEqual([page.text('bdi'), page.element.querySelector('b')], ['<b>Shop</b>', null]);
    await page.press('revoke');
    assert.deepEqual([page.focused, calls], ['question', []]);
    await page.press('submit');
    assert.deepEqual([calls, page.notice], [[['end', 'shop1']], getEnglishText('applications.revoked')]);
    assert.equal(page.text('[data-part=hint]'), getEnglishText('applications.none'));
  });
});

describe('the export of the account', () => {
  it('requires a recent sign-in, and then downloads the data', async (context) => {
    const files: string[] = [];
    context.mock.method(URL, 'createObjectURL', (file: Blob) => {
      void file.text().then((text) => files.push(text));
      return 'blob:x';
    });
    const refusal = { code: 'reauthentication_required', status: 403 } as const;
    const answers = [() => Promise.reject(createRefusal(refusal)), async () => ({ user: USER })];
    const client = { profile: { exportData: () => answers.shift()?.() } } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-export-data', {}, { client, prevents: ['step-up'] });
    await page.press('export');
    const [, detail] = page.events[0] ?? [];
    assert.deepEqual(files, []);
    (detail as { readonly retry: () => void }).retry();
    await page.type({});
    assert.deepEqual(
      files.map((text) => JSON.parse(text)),
      [{ user: USER }],
    );
    assert.equal(page.notice, getEnglishText('export.done'));
  });
});

describe('the deletion of the account', () => {
  it('requires a typed word, which differs from pressing twice', async (context) => {
    const { calls, recorded } = recorder();
    const client = { profile: { deleteAccount: recorded('delete', undefined) } } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-delete-account', {}, { client });
    await page.press('delete');
    for (const word of ['', 'no', `${getEnglishText('delete.word')}x`]) {
      await page.submit({ word });
      assert.deepEqual([Object.keys(page.errors), page.focused, calls], [['word'], 'word', []]);
    }
    await page.press('cancel');
    assert.deepEqual([page.actions, calls], [['delete'], []]);
    await page.press('delete');
    await page.submit({ word: ` ${getEnglishText('delete.word')} ` });
    assert.deepEqual(calls, [['delete']]);
    assert.equal(page.events[0]?.[0], 'deleted');
  });

  it('shows the grace period if the service has one, and when it ends', async (context) => {
    const { calls, recorded } = recorder();
    const deletionAt = '2026-12-12T00:00:00.000Z';
    const client = {
      ...parametersWith('schedule_deletion'),
      profile: { scheduleDeletion: recorded('schedule', { deletionAt }) },
    } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-delete-account', {}, { client });
    assert.equal(page.text('[data-part=subtitle]'), getEnglishText('delete.graceSubtitle'));
    await page.press('delete');
    await page.submit({ word: getEnglishText('delete.word') });
    assert.deepEqual([calls, page.events[0]], [[['schedule']], ['deleted', { deletionAt }]]);
  });

  it('asks again if the account of this user can only be deleted immediately', async (context) => {
    const { calls, recorded } = recorder();
    const client = {
      ...parametersWith('schedule_deletion'),
      profile: {
        scheduleDeletion: () => Promise.reject(createRefusal({ code: 'feature_disabled', status: 403 })),
        deleteAccount: recorded('delete', undefined),
      },
    } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-delete-account', {}, { client });
    await page.press('delete');
    await page.submit({ word: getEnglishText('delete.word') });
    assert.equal(page.text('form p'), getEnglishText('delete.question'));
    const findDeletion = () => page.events.find(([name]) => name === 'deleted');
    assert.deepEqual([calls, findDeletion()], [[], undefined]);
    await page.submit({ word: getEnglishText('delete.word') });
    assert.deepEqual([calls, findDeletion()], [[['delete']], ['deleted', {}]]);
  });

  it('does not report an account as deleted that still exists', async (context) => {
    const deleteAccount = () => Promise.reject(createRefusal({ code: 'reauthentication_required', status: 403 }));
    const page = await mountElement(context, 'poolgate-delete-account', {}, { client: { profile: { deleteAccount } } });
    await page.press('delete');
    await page.submit({ word: getEnglishText('delete.word') });
    assert.ok(!page.events.some(([name]) => name === 'deleted'));
    assert.equal(page.alert, getEnglishText('error.reauthentication_required'));
  });
});

describe('the devices of the account', () => {
  const device = (key: string, more: object = {}) => ({
    device_key: key,
    device_name: null,
    last_authenticated_at: null,
    last_ip: null,
    remembered: false,
    ...more,
  });

  function section(devices: readonly object[], current: string | null = null) {
    const { calls, recorded } = recorder();
    const client = {
      sessions: { list: () => Promise.reject(createRefusal({ code: 'feature_disabled', status: 403 })) },
      devices: {
        list: recorded('list', { items: devices }),
        current: async () => current,
        setRemembered: recorded('remember', KEPT),
        rename: recorded('rename', KEPT),
        forget: recorded('forget', KEPT),
      },
    } as unknown as PartialClient;
    return { calls, client, changes: () => calls.filter(([name]) => name !== 'list') };
  }

  it("are listed with their names as text, the provider's trust, and a mark at this one", async (context) => {
    const { client } = section(
      [
        device('a', { device_name: '<b>Firefox</b>', remembered: true, last_ip: '192.0.2.1' }),
        device('b'),
        device('c', { remembered: null }),
      ],
      'b',
    );
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    const lines = [...page.element.querySelectorAll<HTMLElement>('[data-part=item]')].map((item) => [
      item.querySelector('bdi')?.textContent,
      [...item.querySelectorAll('[data-part=badge]')].map(({ textContent }) => textContent),
      item.querySelector('[data-part=item-detail]')?.textContent,
    ]);
    assert.deepEqual(lines, [
      [
        getEnglishText('sessions.unnamed'),
        [getEnglishText('devices.this'), getEnglishText('devices.notTrusted')],
        undefined,
      ],
      ['<b>Firefox</b>', [getEnglishText('devices.trusted')], '192.0.2.1'],
      [getEnglishText('sessions.unnamed'), [], undefined],
    ]);
    assert.equal(page.element.querySelector('b'), null);
  });

  it('show when and where they were last used', async (context) => {
    const used = { last_authenticated_at: '2026-01-31T12:00:00Z', last_ip: '192.0.2.1' };
    const { client } = section([device('a', used)]);
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    assert.match(String(page.text('[data-part=item-detail]')), /2026.* · 192\.0\.2\.1$/);
  });

  it('are trusted and distrusted by a button', async (context) => {
    for (const remembered of [true, false]) {
      const { client, changes } = section([device('a', { remembered })]);
      const page = await mountElement(context, 'poolgate-devices', {}, { client });
      assert.equal(page.text('[data-name=trust]'), getEnglishText(remembered ? 'devices.distrust' : 'devices.trust'));
      await page.press('trust');
      assert.deepEqual(changes(), [['remember', 'a', !remembered]]);
      assert.equal(page.notice, getEnglishText('common.saved'));
    }
  });

  it('are renamed in a form at their line, with a nonempty name', async (context) => {
    const { client, changes } = section([device('a', { device_name: 'Old' }), device('b', { device_name: 'Other' })]);
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    await page.press('rename');
    assert.deepEqual([page.field('name').value, page.focused], ['Old', 'name']);
    await page.submit({ name: ' ' });
    assert.deepEqual([page.errors, changes()], [{ name: getEnglishText('field.required') }, []]);
    await page.submit({ name: 'New' });
    assert.deepEqual(changes(), [['rename', 'a', 'New']]);
    assert.equal(page.element.querySelector('form'), null);
  });

  it('are forgotten only after a confirmation', async (context) => {
    const { client, changes } = section([device('a', { device_name: 'Phone' })]);
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    await page.press('forget');
    assert.deepEqual([changes(), page.focused], [[], 'question']);
    assert.match(String(page.text('[data-part=question]')), /Phone/);
    await page.press('cancel');
    assert.deepEqual([changes(), page.element.querySelector('form')], [[], null]);
    await page.press('forget');
    await page.submit();
    assert.deepEqual([changes(), page.notice], [[['forget', 'a']], getEnglishText('devices.forgotten')]);
  });

  it('are reloaded after a change, and an empty list says so', async (context) => {
    const { client, calls } = section([]);
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    assert.equal(page.text('[data-part=hint]'), getEnglishText('devices.none'));
    await page.element.refresh();
    assert.equal(calls.length, 2);
  });
});

describe('the connected accounts', () => {
  const IDENTITIES = [
    { id: 'first', provider: 'Corp', type: 'OIDC', connected_at: '2026-01-31T12:00:00Z', primary: true },
    {
      id: 'second',
      provider: 'SignInWithApple',
      type: 'SignInWithApple',
      connected_at: '2026-02-01T12:00:00Z',
      primary: false,
    },
  ];

  function section(mode: 'session' | 'tokens', identities = IDENTITIES) {
    const { calls, recorded } = recorder();
    const client = {
      mode,
      identities: {
        list: async () => ({ identities, providers: [{ name: 'Google', type: 'Google' }] }),
        disconnect: recorded('disconnect', KEPT),
        connect: recorded('connect', () => new Promise<never>(() => {})),
      },
    } as unknown as PartialClient;
    return { calls, client };
  }

  it('are disconnected after a confirmation, except the one that created the user', async (context) => {
    const { calls, client } = section('session');
    const page = await mountElement(context, 'poolgate-identities', {}, { client });
    const [first, second] = [...page.element.querySelectorAll('[data-part=item]')];
    assert.equal(first?.querySelector('button'), null);
    assert.match(second?.textContent ?? '', /Apple/);
    await page.press('disconnect second');
    assert.deepEqual([calls, page.focused], [[], 'question']);
    await page.submit();
    assert.deepEqual([calls, page.notice], [[['disconnect', 'second']], getEnglishText('identities.removed')]);
  });

  it('are connected at the provider, only with a browser session', async (context) => {
    const { calls, client } = section('session', []);
    const page = await mountElement(context, 'poolgate-identities', {}, { client });
    assert.equal(page.text('[data-part=hint]'), getEnglishText('identities.none'));
    void page.press('connect Google');
    await Promise.resolve();
    assert.deepEqual(calls, [['connect', 'Google', location.href]]);
    const tokens = await mountElement(context, 'poolgate-identities', {}, section('tokens', []));
    assert.equal(tokens.element.querySelector('button'), null);
  });
});

describe('the sessions of the account', () => {
  const session = (id: string, current: boolean) => ({
    id,
    current,
    started_at: '2026-01-31T12:00:00Z',
    refreshed_at: null,
    source_address: '192.0.2.1',
    device_key: null,
    kind: 'session',
    browser: 'Firefox',
    system: 'Windows',
    place: { city: 'Berlin', country: 'DE' },
  });

  function section(outcome: () => unknown = () => KEPT) {
    const { calls, recorded } = recorder();
    const client = {
      sessions: {
        list: async () => ({ items: [session('here', true), session('there', false)] }),
        end: recorded('end', outcome),
        endAll: recorded('end-all', outcome),
      },
    } as unknown as PartialClient;
    return { calls, client };
  }

  it('are in one list with their devices, the current one first, and end with their line', async (context) => {
    const { calls, recorded } = recorder();
    const device = { device_key: 'd1', device_name: 'Laptop', remembered: true, last_ip: null };
    const items = [
      { ...session('s1', false), device_key: 'd1', refreshed_at: '2026-02-01T12:00:00Z' },
      { ...session('s2', false), device_key: 'd1' },
      { ...session('s3', true), browser: null, system: null, place: null },
      { ...session('s4', false), kind: 'application' },
    ];
    const client = {
      sessions: { list: async () => ({ items }), end: recorded('end', undefined) },
      devices: { list: async () => ({ items: [device] }), current: async () => null },
    } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    const lines = [...page.element.querySelectorAll('[data-part=item]')].map((item) => [
      item.querySelector('bdi')?.textContent,
      item.querySelector('[data-part=badge]')?.textContent,
      item.querySelector('[data-part=item-detail]')?.textContent,
    ]);
    const [here = [], laptop = []] = lines;
    assert.deepEqual([lines.length, here[0], here[1]], [2, 'Unknown browser', getEnglishText('devices.this')]);
    assert.deepEqual(laptop.slice(0, 2), ['Laptop', getEnglishText('devices.trusted')]);
    assert.match(String(laptop[2]), /^Firefox · Windows · Last used .*2026.* · Berlin, Germany · 192\.0\.2\.1$/);
    await page.press('end');
    assert.deepEqual(calls, [
      ['end', 's1'],
      ['end', 's2'],
    ]);
  });

  it('show the current session with the current device if the provider does not reveal the device', async (context) => {
    const device = { device_key: 'd1', device_name: 'Laptop', remembered: null, last_ip: null };
    const client = {
      sessions: { list: async () => ({ items: [session('s1', true), session('s2', false)] }) },
      devices: { list: async () => ({ items: [device] }), current: async () => 'd1' },
    } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-devices', {}, { client });
    const names = [...page.element.querySelectorAll('[data-part=item] bdi')].map(({ textContent }) => textContent);
    assert.equal(names.length, 2);
    assert.equal(names[0], 'Laptop');
    assert.equal(page.element.querySelectorAll('[data-part=badge]').length, 1);
  });

  it('are ended one at a time, except the current one', async (context) => {
    const { calls, client } = section();
    const page = await mountElement(context, 'poolgate-sessions', {}, { client });
    const [here, there] = [...page.element.querySelectorAll('[data-part=item]')];
    assert.equal(here?.querySelector('button'), null);
    assert.equal(here?.querySelector('[data-part=badge]')?.textContent, getEnglishText('sessions.this'));
    assert.ok(there?.querySelector('button[data-name=end]'));
    await page.press('end');
    assert.deepEqual([calls, page.notice], [[['end', 'there']], getEnglishText('sessions.ended')]);
  });

  it('are all ended after a confirmation, including this one', async (context) => {
    const { calls, client } = section();
    const page = await mountElement(context, 'poolgate-sessions', {}, { client });
    await page.press('end-all');
    assert.deepEqual([calls, page.focused], [[], 'question']);
    await page.submit();
    assert.deepEqual([calls, page.events], [[['end-all']], [['signed-out', { isEnded: false }]]]);
  });

  it('stay if they could not be ended', async (context) => {
    const { client } = section(() => Promise.reject(createRefusal({ code: 'network_error' })));
    const page = await mountElement(context, 'poolgate-sessions', {}, { client });
    await page.press('end-all');
    await page.submit();
    assert.deepEqual([page.events, page.alert], [[], getEnglishText('error.network')]);
  });
});

describe('the passkeys of the account', () => {
  function section(created: object) {
    const { calls, recorded } = recorder();
    const client = {
      passkeys: {
        list: async () => [{ credential_id: 'one', name: 'Phone', created_at: null }],
        create: recorded('create', created),
        rename: recorded('rename', KEPT),
        remove: recorded('remove', KEPT),
      },
    } as unknown as PartialClient;
    return { calls, client };
  }

  it('show the result for a new one', async (context) => {
    for (const [kind, notice] of [
      ['created', 'passkeys.added'],
      ['cancelled', 'passkey.cancelled'],
    ] as const) {
      const { calls, client } = section({ kind });
      const page = await mountElement(context, 'poolgate-passkeys', {}, { client });
      await page.press('add');
      assert.deepEqual([calls, page.notice], [[['create']], getEnglishText(notice)]);
    }
  });

  it('are renamed and removed by ID', async (context) => {
    const { calls, client } = section({ kind: 'created' });
    const page = await mountElement(context, 'poolgate-passkeys', {}, { client });
    await page.press('rename');
    await page.submit({ name: 'Laptop' });
    await page.press('remove');
    await page.submit();
    assert.deepEqual(calls, [
      ['rename', 'one', 'Laptop'],
      ['remove', 'one'],
    ]);
    assert.equal(page.notice, getEnglishText('passkeys.removed'));
  });
});

describe('the authenticator app of the account', () => {
  const SECRET = { secretCode: 'ABCDEFGH', qrCodeUrl: 'data:image/png;base64,x', uri: 'otpauth://totp/x' };

  interface State {
    readonly methods: readonly string[];
    readonly recoveryCodesLeft: number | null;
  }

  function section({ methods, recoveryCodesLeft }: State, loginEnded = false, capability = 'create_recovery_codes') {
    const { calls, recorded } = recorder();
    const outcome = { loginEnded };
    const client = {
      ...parametersWith(capability),
      mfa: {
        factors: async () => ({ mfa: { methods, preferred: null }, recoveryCodesLeft }),
        activate: recorded('activate', { ...SECRET, verify: recorded('verify', outcome) }),
        newRecoveryCodes: recorded('codes', { codes: ['one-two', 'three-four'], ...outcome }),
        prefer: recorded('prefer', outcome),
        deactivate: recorded('deactivate', outcome),
      },
    } as unknown as PartialClient;
    return { calls, client };
  }

  it('offers what its state allows', async (context) => {
    const on = ['SOFTWARE_TOKEN_MFA'];
    for (const [state, badge, actions] of [
      [{ methods: [], recoveryCodesLeft: null }, 'mfa.off', ['set-up']],
      [{ methods: [], recoveryCodesLeft: 0 }, 'mfa.off', ['set-up']],
      [{ methods: [], recoveryCodesLeft: 3 }, 'mfa.off', ['set-up', 'enable']],
      [{ methods: on, recoveryCodesLeft: 3 }, 'mfa.on', ['set-up', 'disable', 'recovery']],
      [{ methods: on, recoveryCodesLeft: 0 }, 'mfa.on', ['set-up', 'disable', 'recovery']],
      [{ methods: on, recoveryCodesLeft: null }, 'mfa.on', ['set-up', 'disable']],
    ] as const) {
      const page = await mountElement(context, 'poolgate-mfa', {}, { client: section(state).client });
      assert.equal(page.text('[data-part=badge]'), getEnglishText(badge));
      assert.deepEqual(page.actions, actions, JSON.stringify(state));
    }
  });

  it('is set up with its first code, and shows recovery codes until they are saved', async (context) => {
    const { calls, client } = section({ methods: [], recoveryCodesLeft: null });
    const page = await mountElement(context, 'poolgate-mfa', {}, { client });
    await page.press('set-up');
    assert.deepEqual([page.focused, page.text('code')], ['code', 'ABCD EFGH']);
    await page.submit({ code: '' });
    assert.deepEqual([page.errors, calls], [{ code: getEnglishText('field.required') }, [['activate']]]);
    await page.submit({ code: '123 456' });
    assert.deepEqual(calls, [['activate'], ['verify', '123456'], ['codes']]);
    assert.deepEqual(page.actions, ['kept', 'copy', 'download']);
    const shown = () =>
      [...page.element.querySelectorAll('[data-part=codes] li')].map(({ textContent }) => textContent);
    assert.deepEqual(shown(), ['one-two', 'three-four']);
    await page.press('kept');
    assert.deepEqual(shown(), []);
  });

  it('requests no recovery codes if the sign-in has ended or the provider has none', async (context) => {
    for (const [ended, capability] of [
      [true, 'create_recovery_codes'],
      [false, 'something_else'],
    ] as const) {
      const { calls, client } = section({ methods: [], recoveryCodesLeft: null }, ended, capability);
      const page = await mountElement(context, 'poolgate-mfa', {}, { client });
      await page.press('set-up');
      await page.submit({ code: '123456' });
      assert.deepEqual(calls.at(-1), ['verify', '123456']);
      assert.equal(
        page.events.some(([name]) => name === 'signed-out'),
        ended,
      );
    }
  });

  it('forgets the secret of a canceled setup', async (context) => {
    const { client } = section({ methods: [], recoveryCodesLeft: null });
    const page = await mountElement(context, 'poolgate-mfa', {}, { client });
    await page.press('set-up');
    await page.press('cancel');
    assert.doesNotMatch(page.element.innerHTML, /ABCD|otpauth/);
    assert.deepEqual(page.actions, ['set-up']);
  });

  it('is turned off and on', async (context) => {
    const off = section({ methods: ['SOFTWARE_TOKEN_MFA'], recoveryCodesLeft: null });
    await (await mountElement(context, 'poolgate-mfa', {}, { client: off.client })).press('disable');
    assert.deepEqual(off.calls, [['deactivate']]);
    const on = section({ methods: [], recoveryCodesLeft: 3 });
    await (await mountElement(context, 'poolgate-mfa', {}, { client: on.client })).press('enable');
    assert.deepEqual(on.calls, [
      ['prefer', { methods: { SOFTWARE_TOKEN_MFA: true }, preferred: 'SOFTWARE_TOKEN_MFA' }],
    ]);
  });

  it('copies recovery codes one to a line', async (context) => {
    const copied: string[] = [];
    context.mock.method(navigator.clipboard, 'writeText', async (text: string) => void copied.push(text));
    const { client } = section({ methods: ['SOFTWARE_TOKEN_MFA'], recoveryCodesLeft: 1 });
    const page = await mountElement(context, 'poolgate-mfa', {}, { client });
    await page.press('recovery');
    await page.press('copy');
    assert.deepEqual([copied, page.notice], [['one-two\nthree-four'], getEnglishText('common.copied')]);
  });
});

describe('recovery codes as a file', () => {
  it('have one code per line, and stay in the page no longer than the browser needs them', async (context) => {
    const blobs: Blob[] = [];
    const steps: string[] = [];
    context.mock.method(URL, 'createObjectURL', (blob: Blob) => {
      blobs.push(blob);
      return 'blob:codes';
    });
    context.mock.method(URL, 'revokeObjectURL', (url: string) => void steps.push(`revoke ${url}`));
    context.mock.method(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
      steps.push(`${this.download} ${this.href}`);
    });
    const client = {
      mfa: {
        factors: async () => ({ mfa: { methods: ['SOFTWARE_TOKEN_MFA'] }, recoveryCodesLeft: 1 }),
        newRecoveryCodes: async () => ({ codes: ['one-two', 'three-four'], loginEnded: false }),
      },
    } as unknown as PartialClient;
    const page = await mountElement(context, 'poolgate-mfa', {}, { client });
    await page.press('recovery');
    await page.press('download');
    assert.deepEqual(steps, ['recovery-codes.txt blob:codes', 'revoke blob:codes']);
    assert.deepEqual([await blobs[0]?.text(), blobs[0]?.type], ['one-two\nthree-four\n', 'text/plain']);
  });
});

describe('the personal details of the account', () => {
  function section(attributes: Readonly<Record<string, string>>, codesSent: readonly object[] = []) {
    const { calls, recorded } = recorder();
    const client = {
      profile: {
        show: async () => ({ ...USER, attributes }),
        update: recorded('update', { codesSent, loginEnded: false }),
        sendCode: recorded('send', [{ destination: 'a***@e***' }]),
        verify: recorded('verify', KEPT),
      },
    } as unknown as PartialClient;
    return { calls, client };
  }

  it('offer to verify an unverified contact', async (context) => {
    const { client } = section({ email: 'ada@example.com', email_verified: 'true', phone_number: '+15550100' });
    const page = await mountElement(context, 'poolgate-profile', {}, { client });
    assert.deepEqual(page.actions, ['edit-name', 'edit-email', 'verify-phone_number', 'edit-phone_number']);
    const empty = await mountElement(context, 'poolgate-profile', {}, { client: section({}).client });
    assert.deepEqual(empty.actions, ['edit-name', 'edit-email', 'edit-phone_number']);
    assert.equal(empty.element.querySelector('[data-part=badge]'), null);
  });

  it('are shown, or marked as missing', async (context) => {
    const shown = async (attributes: Readonly<Record<string, string>>) => {
      const page = await mountElement(context, 'poolgate-profile', {}, { client: section(attributes).client });
      return [...page.element.querySelectorAll('[data-part=item-detail]')].map((line) => line.textContent?.trim());
    };
    const given = { name: 'Ada', email: 'ada@example.com', phone_number: '+15550100' };
    assert.deepEqual(await shown(given), Object.values(given));
    const [noName, noPhone] = [getEnglishText('profile.noName'), getEnglishText('profile.noPhone')];
    assert.deepEqual(await shown({}), [noName, noName, noPhone]);
  });

  it('are saved as the service wants them', async (context) => {
    for (const [attribute, typed, sent] of [
      ['name', ' Ada Lovelace ', 'Ada Lovelace'],
      ['name', '', ''],
      ['email', ' ada@example.org ', 'ada@example.org'],
      ['phone_number', '+1 (555) 01-00', '+15550100'],
    ] as const) {
      const { calls, client } = section({ name: 'Ada' });
      const page = await mountElement(context, 'poolgate-profile', {}, { client });
      await page.press(`edit-${attribute}`);
      assert.equal(page.focused, attribute);
      await page.submit({ [attribute]: typed });
      assert.deepEqual([calls, page.notice], [[['update', { [attribute]: sent }]], getEnglishText('common.saved')]);
    }
  });

  it('refuse an invalid address and a missing number', async (context) => {
    for (const [attribute, typed, message] of [
      ['email', 'ada', 'field.email'],
      ['email', '', 'field.required'],
      ['phone_number', ' ', 'field.required'],
    ] as const) {
      const { calls, client } = section({});
      const page = await mountElement(context, 'poolgate-profile', {}, { client });
      await page.press(`edit-${attribute}`);
      await page.submit({ [attribute]: typed });
      assert.deepEqual([page.errors, calls], [{ [attribute]: getEnglishText(message) }, []]);
    }
  });

  it('prompt for the code that was sent to a new address, and verify it', async (context) => {
    const { calls, client } = section({}, [{ destination: 'a***@e***' }]);
    const page = await mountElement(context, 'poolgate-profile', {}, { client });
    await page.press('edit-email');
    await page.submit({ email: 'ada@example.org' });
    assert.equal(page.focused, 'code');
    assert.ok(page.text('form')?.includes('ada@example.org'));
    await page.submit({ code: '123-456' });
    assert.deepEqual(calls.at(-1), ['verify', 'email', '123456']);
    assert.equal(page.notice, getEnglishText('profile.emailChanged'));
    assert.equal(page.element.querySelector('form'), null);
  });

  it('send another code for a contact that was never verified', async (context) => {
    const { calls, client } = section({ email: 'ada@example.com' });
    const page = await mountElement(context, 'poolgate-profile', {}, { client });
    await page.press('verify-email');
    assert.deepEqual(calls, [['send', 'email']]);
    assert.ok(page.text('form')?.includes('a***@e***'));
    await page.submit({ code: '1' });
    assert.deepEqual(calls.at(-1), ['verify', 'email', '1']);
  });
});
