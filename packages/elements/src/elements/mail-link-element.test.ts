import '../testing/happy-dom.ts';
import '../mail-links.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRefusal, getEnglishText, mountElement } from '../testing/mount-element.ts';

const USED = getEnglishText('link.used');
const TOKEN = 'token-of-the-mail';

/** Statuses and codes of the service for a link that is used, expired or invalid. */
const REFUSED_LINKS = [
  { code: 'invalid_session', status: 401 },
  { code: 'code_expired', status: 400 },
  { code: 'code_mismatch', status: 400 },
  { code: 'validation_failed', status: 422 },
] as const;

/** Failures that do not concern the link, which can be used again. */
const OTHER_FAILURES = [
  { code: 'network_error' },
  { code: 'too_many_requests', status: 429 },
  { code: 'internal_error', status: 500 },
  { code: 'unavailable', status: 503 },
] as const;

describe('a link in a mail about a change', () => {
  it('has no effect when opened, and reports the change with its button', async (context) => {
    const sent: unknown[] = [];
    const notMe = async (report: unknown) => void sent.push(report);
    const page = await mountElement(context, 'poolgate-not-me', { token: TOKEN }, { client: { password: { notMe } } });
    assert.deepEqual([page.title, sent], [getEnglishText('notMe.title'), []]);
    await page.press('submit');
    assert.deepEqual([sent, page.events], [[{ token: TOKEN }], [['reported', {}]]]);
    assert.deepEqual([page.title, page.focused], [getEnglishText('notMe.done'), 'title']);
    assert.deepEqual(page.actions, ['forgotPassword'], 'the link cannot be used a second time');
  });

  it('says that it was used, offers no retry and does not notify the application', async (context) => {
    for (const facts of REFUSED_LINKS) {
      let calls = 0;
      const notMe = async () => {
        calls++;
        throw createRefusal(facts);
      };
      const page = await mountElement(
        context,
        'poolgate-not-me',
        { token: TOKEN },
        { client: { password: { notMe } } },
      );
      await page.press('submit');
      assert.equal(page.text('[data-part=subtitle]'), USED, facts.code);
      assert.deepEqual([page.events, page.actions, calls], [[], ['forgotPassword'], 1], facts.code);
      assert.equal(page.focused, 'title');
    }
  });

  it('can be retried after a failure that does not concern the link', async (context) => {
    for (const facts of OTHER_FAILURES) {
      let calls = 0;
      const notMe = async () => {
        if (++calls === 1) throw createRefusal(facts);
      };
      const page = await mountElement(
        context,
        'poolgate-not-me',
        { token: TOKEN },
        { client: { password: { notMe } } },
      );
      await page.press('submit');
      assert.notEqual(page.alert, '', facts.code);
      assert.equal(page.title, getEnglishText('notMe.title'), facts.code);
      await page.press('submit');
      assert.equal(page.title, getEnglishText('notMe.done'), facts.code);
    }
  });

  it('has no button if the address contains an incomplete link', async (context) => {
    const page = await mountElement(context, 'poolgate-not-me', {});
    assert.equal(page.text('[data-part=subtitle]'), getEnglishText('link.missing'));
    assert.deepEqual(page.actions, ['forgotPassword']);
  });

  it('passes its target to the application, which may navigate itself', async (context) => {
    const page = await mountElement(context, 'poolgate-not-me', {}, { prevents: ['navigate'] });
    await page.press('forgotPassword');
    assert.deepEqual(page.events, [['navigate', { to: 'forgotPassword', href: 'forgot' }]]);
  });

  it('stays if the application continues by itself', async (context) => {
    const client = { password: { notMe: async () => {} } };
    const page = await mountElement(context, 'poolgate-not-me', { token: TOKEN }, { client, prevents: ['reported'] });
    await page.press('submit');
    assert.equal(page.title, getEnglishText('notMe.title'));
  });
});

describe('a link in a mail that confirms an account', () => {
  const link = { token: TOKEN };
  const registration = { required_attributes: ['nickname'] };

  it('says that it was used, and offers to sign in', async (context) => {
    for (const facts of REFUSED_LINKS) {
      const confirm = () => Promise.reject(createRefusal(facts));
      const page = await mountElement(context, 'poolgate-confirm-link', { link }, { client: { signUp: { confirm } } });
      await page.press('submit');
      assert.equal(page.text('[data-part=subtitle]'), USED, facts.code);
      assert.deepEqual([page.events, page.actions], [[], ['signIn']], facts.code);
    }
  });

  it('confirms once, without naming the user', async (context) => {
    const sent: unknown[] = [];
    const confirm = async (...given: unknown[]) => {
      sent.push(given);
      return null;
    };
    const page = await mountElement(context, 'poolgate-confirm-link', { link }, { client: { signUp: { confirm } } });
    assert.deepEqual(sent, []);
    await page.press('submit');
    assert.deepEqual(
      [sent, page.events],
      [[[link, undefined, { signIn: true }]], [['verified', { username: '', next: null }]]],
    );
    assert.equal(page.title, getEnglishText('verify.done'));
  });

  it('prompts for the sign-up password if the service requires it, and sends it with the link', async (context) => {
    const sent: unknown[] = [];
    const confirm = async (_link: unknown, proof?: unknown) => {
      sent.push(proof);
      if (proof === undefined) throw createRefusal({ code: 'password_required', status: 422, registration });
      return null;
    };
    const page = await mountElement(context, 'poolgate-confirm-link', { link }, { client: { signUp: { confirm } } });
    await page.press('submit');
    assert.equal(page.title, getEnglishText('claim.title'));
    await page.submit({ password: 'Correct-horse-1' });
    assert.deepEqual(sent, [undefined, { password: 'Correct-horse-1' }]);
    assert.deepEqual(page.events, [['verified', { username: '', next: null }]]);
  });

  it('if used in another tab meanwhile, does not prompt for the password again', async (context) => {
    const confirm = async (_link: unknown, proof?: unknown) => {
      if (proof === undefined) throw createRefusal({ code: 'password_required', status: 422, registration });
      throw createRefusal({ code: 'invalid_session', status: 401 });
    };
    const page = await mountElement(context, 'poolgate-confirm-link', { link }, { client: { signUp: { confirm } } });
    await page.press('submit');
    await page.submit({ password: 'Correct-horse-1' });
    assert.equal(page.text('[data-part=subtitle]'), USED);
    assert.deepEqual([page.events, page.actions], [[], ['signIn']]);
  });
});
