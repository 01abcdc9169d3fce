import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from './configuration.ts';
import { ConfigurationError, formatProblem } from './configuration-error.ts';
import { listEffectiveSettings } from './effective-settings.ts';
import type { Environment } from './setting-sources.ts';

function listProblems(environment: Environment): readonly string[] {
  try {
    readConfiguration(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems.map(formatProblem);
  }
  return [];
}

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const FROM = 'no-reply@example.com';

test('a mail server is an smtp or smtps URL without options', () => {
  for (const url of ['smtps://a:b@mail.example', 'smtp://mail.example:2525', 'smtp://127.0.0.1:25', 'smtp://[::1]']) {
    assert.deepEqual(listProblems({ POOLGATE_SMTP_URL: url, POOLGATE_MAIL_FROM: FROM }), [], url);
  }
  const wrong = [
    'https://mail.example',
    'smtps://mail.example?tls.rejectUnauthorized=false',
    'smtp://mail.example/?requireTLS=false',
    'smtp://mail.example/path',
    'smtp://user@mail.example',
    'smtp:',
    'mail.example',
  ];
  for (const url of wrong) {
    const [problem = ''] = listProblems({ POOLGATE_SMTP_URL: url, POOLGATE_MAIL_FROM: FROM });
    assert.match(problem, /^POOLGATE_SMTP_URL: the value is not a valid URL/, url);
    assert.ok(!problem.includes('mail.example'));
  }
});

test('the sender of mails is one address, with an optional name, on one line', () => {
  const withServer = { POOLGATE_SMTP_URL: 'smtps://mail.example' };
  for (const from of [FROM, 'Example Inc. <no-reply@example.com>', 'Größe & Co <a@b.example>']) {
    assert.deepEqual(listProblems({ ...withServer, POOLGATE_MAIL_FROM: from }), [], from);
  }
  for (const from of [
    'a@b.example, c@d.example',
    'A\r\nBcc: x <a@b.example>',
    'Example',
    '<a@b.example',
    'A <a b@c.d>',
  ]) {
    assert.match(listProblems({ ...withServer, POOLGATE_MAIL_FROM: from })[0] ?? '', /^POOLGATE_MAIL_FROM: /, from);
  }
  assert.match(
    listProblems(withServer)[0] ?? '',
    /^POOLGATE_MAIL_FROM: is missing. It is required because POOLGATE_SMTP_URL is/,
  );
});

test('SMS are sent through SNS, or to a signed webhook over TLS', () => {
  const signed = { POOLGATE_SMS_SECRET: WEBHOOK_SECRET };
  for (const sms of ['sns', 'sns:eu-central-1', 'https://sms.example/in', 'http://127.0.0.1:9/in']) {
    assert.deepEqual(listProblems({ ...signed, POOLGATE_SMS: sms }), [], sms);
  }
  for (const sms of [
    'sns:nowhere',
    'http://sms.example/in',
    'https://user:pass@sms.example',
    'ftp://sms.example',
    'twilio',
  ]) {
    assert.match(listProblems({ ...signed, POOLGATE_SMS: sms })[0] ?? '', /^POOLGATE_SMS: the value is neither/, sms);
  }
  assert.match(listProblems({ POOLGATE_SMS: 'https://sms.example' })[0] ?? '', /^POOLGATE_SMS_SECRET: is missing/);
  for (const secret of ['whsec_c2hvcnQ=', Buffer.alloc(32, 7).toString('base64'), 'whsec_%%%%']) {
    const problems = listProblems({ POOLGATE_SMS: 'https://sms.example', POOLGATE_SMS_SECRET: secret });
    assert.deepEqual(problems.length, 1);
    assert.match(problems[0] ?? '', /^POOLGATE_SMS_SECRET: the value is not a valid secret/);
  }
});

test('the message settings are shown without secrets', () => {
  const shown = JSON.stringify(
    listEffectiveSettings(
      readConfiguration({
        POOLGATE_SMTP_URL: 'smtps://postman:planted-1@mail.example:465',
        POOLGATE_MAIL_FROM: FROM,
        POOLGATE_SMS: 'https://sms.example/planted-2?key=planted-3',
        POOLGATE_SMS_SECRET: WEBHOOK_SECRET,
      }),
    ),
  );
  assert.ok(!shown.includes('planted'));
  assert.ok(!shown.includes(WEBHOOK_SECRET));
  assert.match(shown, /mail\.example/);
  assert.match(shown, /https:\/\/sms\.example\/…/);
});

test('a second factor by message does not use the channel that recovers passwords', () => {
  const rows: readonly [types: string, recovery: string, isRefused: boolean][] = [
    ['SOFTWARE_TOKEN_MFA,EMAIL_OTP', 'email', true],
    ['SMS_MFA', 'phone', true],
    ['EMAIL_OTP', 'phone', false],
    ['SMS_MFA', 'email', false],
    ['SOFTWARE_TOKEN_MFA,SMS_MFA,EMAIL_OTP', 'admin_only', false],
    ['SOFTWARE_TOKEN_MFA', 'email', false],
  ];
  for (const [types, recovery, isRefused] of rows) {
    const problems = listProblems({ IDP_MFA_TYPE: types, IDP_RECOVERY: recovery });
    assert.equal(problems.length, isRefused ? 1 : 0, `${types} with ${recovery}`);
    if (isRefused)
      assert.match(
        problems[0] ?? '',
        /^IDP_MFA_TYPE: contains a factor that uses the same contact as password recovery/,
      );
  }
  assert.equal(listProblems({ IDP_MFA_TYPE: 'EMAIL_OTP' }).length, 1, 'e-mail is the default of recovery');
});

test('an invalid value causes no second problem about others', () => {
  assert.equal(listProblems({ IDP_MFA_TYPE: 'EMAIL_OTP', IDP_RECOVERY: 'pigeon' }).length, 1);
  assert.equal(listProblems({ POOLGATE_SMTP_URL: 'smtps://mail.example', POOLGATE_MAIL_FROM: 'nobody' }).length, 1);
});

test('a password is always among the first factors', () => {
  assert.deepEqual(listProblems({ IDP_FIRST_FACTORS: 'SMS_OTP,PASSWORD' }), []);
  assert.match(
    listProblems({ IDP_FIRST_FACTORS: 'SMS_OTP' })[0] ?? '',
    /^IDP_FIRST_FACTORS: "SMS_OTP" does not contain PASSWORD/,
  );
});

test('the QR code is drawn here unless a URL prefix is configured', () => {
  assert.equal(readConfiguration({}).settings.mfaQrLibrary, 'builtin');
  for (const value of ['https://qr.example.com/?data=', 'builtin']) {
    assert.deepEqual(listProblems({ IDP_MFA_QR_LIBRARY: value }), []);
  }
  for (const value of [
    'google',
    'javascript:alert(1)//',
    'https://qr.example.com/#',
    'https://user:word@qr.example.com/?data=',
  ]) {
    assert.match(listProblems({ IDP_MFA_QR_LIBRARY: value })[0] ?? '', /^IDP_MFA_QR_LIBRARY: /, value);
  }
});
