import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PoolgateError } from '@poolgate/client';
import { ERRORS, type ErrorCode } from '@poolgate/contract';
import { ENGLISH_TEXTS } from '../testing/english.ts';
import { toFormError } from './form-error.ts';

const RAW = 'A text of the service that nobody is shown';
const fields = new Set(['username', 'password', 'newPassword', 'code', 'email']);
const has = (name: string): boolean => fields.has(name);

describe('what a user reads about an error', () => {
  it('is a translated message for every code, and never the text of the service', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    assert.ok(codes.length > 40);
    for (const code of codes) {
      const field = { field: 'password', code: 'invented', message: RAW };
      const error = new PoolgateError({ code, status: 422, detail: RAW, fieldErrors: [field] });
      for (const form of [has, () => false]) {
        const { alert, fields: told } = toFormError(error, form);
        const texts = [...told.values(), ...(alert === undefined ? [] : [alert])];
        assert.ok(texts.length > 0, code);
        for (const { id, fallback = id } of texts)
          assert.ok(Object.hasOwn(ENGLISH_TEXTS, id) || Object.hasOwn(ENGLISH_TEXTS, fallback), `${code}: ${id}`);
        assert.doesNotMatch(JSON.stringify(texts), new RegExp(RAW));
      }
    }
  });

  it('is that something went wrong if a newer service returns an unknown code', () => {
    const error = new PoolgateError({ code: 'invented_later' as ErrorCode, status: 400, detail: RAW });
    assert.deepEqual(toFormError(error, has), {
      alert: { id: 'error.invented_later', fallback: 'error.unknown' },
      fields: new Map(),
      reference: undefined,
    });
  });

  it('appears at the field that it concerns, by whichever name the form has for it', () => {
    const fieldErrors = [
      { field: 'new_password', code: 'too_short', message: RAW },
      { field: 'attributes.email', code: 'format', message: RAW },
    ];
    const { alert, fields: told } = toFormError(new PoolgateError({ code: 'validation_failed', fieldErrors }), has);
    assert.equal(alert, undefined);
    assert.deepEqual(
      [...told].map(([name, { id }]) => [name, id]),
      [
        ['newPassword', 'field.too_short'],
        ['email', 'field.format'],
      ],
    );
    const wrongCode = toFormError(new PoolgateError({ code: 'code_mismatch', status: 400 }), has);
    assert.deepEqual([...wrongCode.fields.keys()], ['code']);
  });

  it('says that the password is wrong, and not the name, if no name is requested', () => {
    const error = new PoolgateError({ code: 'invalid_credentials', status: 401 });
    const createAlert = (...names: string[]) => toFormError(error, (field) => names.includes(field)).alert?.id;
    assert.equal(createAlert('username', 'password'), 'error.invalid_credentials');
    assert.equal(createAlert('password'), 'common.wrongPassword');
    assert.equal(createAlert('current', 'newPassword'), 'common.wrongPassword');
    assert.equal(createAlert('code'), 'error.invalid_credentials');
  });

  it('names the opened address and the right one, or the cookies that do not arrive', () => {
    const createAlert = (facts: object) =>
      toFormError(new PoolgateError({ code: 'csrf_failed', status: 403, detail: RAW, ...facts }), has).alert;
    const address = { opened: 'http://login.test:3000', baseUrl: 'https://login.test' };
    assert.deepEqual(createAlert({ reason: 'wrong_address', address }), { id: 'error.wrongAddress', values: address });
    assert.deepEqual(createAlert({ reason: 'cookies_missing' }), { id: 'error.cookiesMissing' });
    assert.deepEqual(createAlert({}), { id: 'error.csrf_failed', fallback: 'error.unknown' });
  });

  it('says how long to wait, and shows the request ID if only an operator can help', () => {
    const createWait = (retryAfterSeconds: number) =>
      toFormError(new PoolgateError({ code: 'too_many_requests', status: 429, retryAfterSeconds }), has).alert;
    assert.deepEqual(createWait(0.2), { id: 'error.waitSeconds', values: { count: 1 } });
    assert.deepEqual(createWait(90), { id: 'error.waitSeconds', values: { count: 90 } });
    assert.deepEqual(createWait(91), { id: 'error.waitMinutes', values: { count: 2 } });
    assert.deepEqual(createWait(121), { id: 'error.waitMinutes', values: { count: 3 } });
    const failed = new PoolgateError({ code: 'internal_error', status: 500, requestId: 'r-1' });
    assert.equal(toFormError(failed, has).reference, 'r-1');
    assert.equal(
      toFormError(new PoolgateError({ code: 'code_mismatch', status: 400, requestId: 'r-1' }), has).reference,
      undefined,
    );
  });
});
