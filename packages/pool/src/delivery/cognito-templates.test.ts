import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { startChoiceLogin } from '../testing/test-logins.ts';
import { addUser, createCallFromNewAddress, openTestPool, PASSWORD, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { type CognitoTemplateSettings, readCognitoTemplates } from './cognito-templates.ts';
import { composeMessage } from './compose-message.ts';

const TEMPLATES = {
  VerificationMessageTemplate: {
    DefaultEmailOption: 'CONFIRM_WITH_CODE',
    EmailSubject: 'Welcome to Ada’s',
    EmailMessage: '<h1>Welcome</h1><p>Type <b>{####}</b>.</p>',
    SmsMessage: 'Ada’s: {####}',
  },
  EmailVerificationMessage: 'Older {####}',
  EmailVerificationSubject: 'Older',
  SmsVerificationMessage: 'Older {####}',
  SmsAuthenticationMessage: 'Ada’s login: {####}',
  EmailMfaConfiguration: { Subject: 'Ada’s login', Message: 'Login with {####}' },
  AdminCreateUserConfig: {
    InviteMessageTemplate: {
      EmailSubject: 'Come in',
      EmailMessage: '<p>{username}, your password is <code>{####}</code></p>',
      SMSMessage: '{username}: {####}',
    },
  },
} as const satisfies CognitoTemplateSettings;

describe('the templates of a pool', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:', {
      pool: {
        kept: TEMPLATES,
        usernameAttributes: [],
        autoVerifiedAttributes: ['email', 'phone_number'],
        requiredAttributes: [],
        recovery: ['verified_phone_number', 'verified_email'],
        mfaMethods: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'],
        firstFactors: ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP'],
      },
    });
  });
  after(() => pool.close());

  const attributes = (named: Readonly<Record<string, string>>) =>
    Object.entries(named).map(([Name, Value]) => ({ Name, Value }));
  const last = () => pool.sent.at(-1) ?? assert.fail('nothing was sent');
  const signUp = (Username: string, named: Readonly<Record<string, string>>) =>
    pool.operations.signUp(
      { ClientId: pool.clientId, Username, Password: PASSWORD, UserAttributes: attributes(named) },
      createCallFromNewAddress(),
    );
  const client = () => ({ ClientId: pool.clientId });

  it('set the texts of codes that verify a contact or reset a password', async () => {
    await signUp('mail', { email: 'mail@example.com' });
    const { subject, text, html, code } = last();
    assert.deepEqual([subject, text], ['Welcome to Ada’s', `Welcome\n\nType ${code}.`]);
    assert.equal(html, `<h1>Welcome</h1><p>Type <b>${code}</b>.</p>`);
    await pool.operations.resendConfirmationCode({ ...client(), Username: 'mail' }, createCallFromNewAddress());
    assert.equal(last().text, `Welcome\n\nType ${last().code}.`);
    await signUp('sms', { phone_number: '+12065550100' });
    assert.deepEqual([last().channel, last().text], ['sms', `Ada’s: ${last().code}`]);
    const proven = { email: 'forgot@example.com', email_verified: 'true' };
    const user = { UserPoolId: pool.userPoolId, Username: 'forgot' };
    await addUser(pool, 'forgot');
    await pool.operations.adminUpdateUserAttributes(
      { ...user, UserAttributes: attributes(proven) },
      createCallFromNewAddress(),
    );
    await pool.operations.forgotPassword({ ...client(), Username: 'forgot' }, createCallFromNewAddress());
    assert.equal(last().text, `Welcome\n\nType ${last().code}.`);
    const { AuthenticationResult } = await loginByPassword(pool, 'forgot');
    const { AccessToken = '' } = AuthenticationResult ?? {};
    await pool.operations.getUserAttributeVerificationCode(
      { AccessToken, AttributeName: 'email' },
      createCallFromNewAddress(),
    );
    assert.deepEqual([last().to, last().subject], ['forgot@example.com', 'Welcome to Ada’s']);
  });

  it('set the texts of invitations, and nothing in a name becomes a tag or a placeholder', async () => {
    const Username = '<b>{####}&';
    const invited: Input<'AdminCreateUser'> = {
      UserPoolId: pool.userPoolId,
      Username,
      TemporaryPassword: 'Tem<b>orary1!',
      UserAttributes: attributes({ email: 'invited@example.com', phone_number: '+12065550101' }),
      DesiredDeliveryMediums: ['SMS', 'EMAIL'],
    };
    await pool.operations.adminCreateUser(invited, createCallFromNewAddress());
    const [mail, sms] = ['email', 'sms'].map((channel) => pool.sent.findLast((each) => each.channel === channel));
    assert.deepEqual([mail?.subject, mail?.text], ['Come in', '<b>{####}&, your password is Tem<b>orary1!']);
    assert.equal(mail?.html, '<p>&lt;b&gt;{####}&amp;, your password is <code>Tem&lt;b&gt;orary1!</code></p>');
    assert.equal(sms?.text, '<b>{####}&: Tem<b>orary1!');
  });

  it('set the texts of login codes: second factors, and codes instead of a password', async () => {
    const user = { UserPoolId: pool.userPoolId, Username: 'login' };
    await addUser(pool, 'login');
    const UserAttributes = attributes({
      email: 'login@example.com',
      email_verified: 'true',
      phone_number: '+12065550102',
      phone_number_verified: 'true',
    });
    await pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes }, createCallFromNewAddress());
    await startChoiceLogin(pool, 'login', { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    assert.deepEqual([last().subject, last().text], ['Ada’s login', `Login with ${last().code}`]);
    assert.match(last().html ?? '', /<strong>\d{8}<\/strong>/);
    await startChoiceLogin(pool, 'login', { PREFERRED_CHALLENGE: 'SMS_OTP' });
    assert.equal(last().text, `Ada’s login: ${last().code}`);
    for (const [settings, text] of [
      [{ SMSMfaSettings: { Enabled: true, PreferredMfa: true } }, /^Ada’s login: \d{6}$/],
      [{ EmailMfaSettings: { Enabled: true, PreferredMfa: true } }, /^Login with \d{6}$/],
    ] as const) {
      await pool.operations.adminSetUserMFAPreference({ ...user, ...settings }, createCallFromNewAddress());
      await loginByPassword(pool, 'login');
      assert.match(last().text, text);
    }
  });
});

const values = { kind: 'sign_up', channel: 'email', locale: 'de', username: 'ada', code: '123456' } as const;

describe('the text of a message, from those that are given', () => {
  it('comes from a trigger, then the program’s text for the language, then the pool’s templates, then the built-in text', () => {
    const kept = {
      ...TEMPLATES,
      VerificationMessageTemplate: { EmailMessage: 'Pool {####}' },
      EmailVerificationSubject: '',
    };
    const messages = { language: 'en', templates: { fr: { sign_up: { text: 'Programme {####}' } } } };
    const override = { emailMessage: '<i>Trigger {####}</i>', emailSubject: 'For {username}\r\nBcc: eve' };
    const rows = [
      [composeMessage({}, values), 'Ihr Bestätigungscode', /^Ihr .* 123456/],
      [composeMessage({ kept }, values), 'Ihr Bestätigungscode', /^Pool 123456$/],
      [composeMessage({ kept, messages }, values), 'Ihr Bestätigungscode', /^Pool 123456$/],
      [composeMessage({ kept, messages }, { ...values, locale: 'fr' }), 'Your verification code', /^Programme 123456$/],
      [
        composeMessage({ kept, messages }, { ...values, locale: 'fr', override }),
        'For ada Bcc: eve',
        /^Trigger 123456$/,
      ],
    ] as const;
    for (const [{ subject, text, html }, expected, body] of rows) {
      assert.equal(subject, expected);
      assert.match(text, body);
      assert.equal(html?.includes('<i>'), text.startsWith('Trigger'), text);
    }
  });

  it('falls back if a template lacks a required placeholder', () => {
    const kept = {
      VerificationMessageTemplate: { EmailMessage: 'No code', EmailSubject: 'Hello', SmsMessage: 'No code' },
    };
    for (const channel of ['email', 'sms'] as const) {
      const { text, subject } = composeMessage({ kept }, { ...values, channel, locale: 'en' });
      assert.match(text, /^Your verification code is 123456/);
      assert.equal(subject, 'Hello');
    }
    const override = { smsMessage: 'No code', emailMessage: 'No code' };
    assert.match(composeMessage({}, { ...values, override }).text, /123456/);
  });

  it('comes from the older members of a pool if the template is empty', () => {
    const older = {
      EmailVerificationMessage: 'Older {####}',
      EmailVerificationSubject: 'Older',
      SmsVerificationMessage: 'Old {####}',
    };
    const texts = { emailMessage: 'Older {####}', emailSubject: 'Older', smsMessage: 'Old {####}' };
    for (const kind of ['sign_up', 'verify_contact', 'forgot_password'] as const) {
      assert.deepEqual(readCognitoTemplates(older, kind), texts);
    }
    assert.deepEqual(readCognitoTemplates(TEMPLATES, 'new_device'), {});
    assert.deepEqual(readCognitoTemplates(undefined, 'sign_up'), {});
  });
});
