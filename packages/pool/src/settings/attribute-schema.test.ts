import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAttributeSchema, isCalendarDate, isEmailAddress, isPhoneNumber } from './attribute-schema.ts';

test('plain addresses are accepted', () => {
  const good = ['a@b.cd', 'ada.lovelace+tag@mail.example.org', "o'neil@xn--bcher-kva.example", 'demo@poolgate.test'];
  for (const address of good) assert.equal(isEmailAddress(address), true, address);
});

test('tricks with recipients are not addresses', () => {
  const tricks = [
    '"a@evil.example x"@victim.example',
    'a@evil.example,b@victim.example',
    'a@evil.example b@victim.example',
    'a@evil.example;b@victim.example',
    'Ada <a@evil.example>',
    '<a@victim.example>',
    'a@victim.example\r\nBcc: b@evil.example',
    'a@victim.example\n',
    'a＠victim.example',
    'a﹫victim.example',
    'a@victim.example@evil.example',
    'a%evil.example@victim.example',
    'evil.example!a@victim.example',
    '(comment)a@victim.example',
    'a@[127.0.0.1]',
    'a@localhost',
    'аda@victim.example',
    'a@victim..example',
    '.a@victim.example',
    'a.@victim.example',
    'a@-victim.example',
    `${'a'.repeat(65)}@b.cd`,
    `a@${'b.'.repeat(130)}cd`,
    '',
  ];
  for (const address of tricks) assert.equal(isEmailAddress(address), false, JSON.stringify(address));
});

test('phone numbers are E.164 with a plus sign', () => {
  for (const number of ['+15551234567', '+4930123456']) assert.equal(isPhoneNumber(number), true);
  for (const number of ['15551234567', '+0123', '+1 555', '+1-555', `+${'1'.repeat(16)}`, '+', '+1555\n', '+١٢٣']) {
    assert.equal(isPhoneNumber(number), false, number);
  }
});

test('dates exist in the calendar', () => {
  for (const date of ['2000-02-29', '1815-12-10', '0001-01-01']) assert.equal(isCalendarDate(date), true, date);
  for (const date of ['1900-02-29', '2001-13-01', '2001-00-10', '10-12-1815', '2001-1-1', '2001-04-31']) {
    assert.equal(isCalendarDate(date), false, date);
  }
});

test('names of object members are not attributes', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'custom:team']) {
    assert.equal(findAttributeSchema({ customAttributes: {} }, name), undefined);
  }
});
