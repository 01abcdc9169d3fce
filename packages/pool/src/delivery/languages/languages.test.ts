import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from './index.ts';

/** The characters of a text message of 160 (GSM 03.38). One other character, such as a typographic apostrophe, leaves room for 70. */
const SMS_CHARACTERS = /^[\w@£$¥èéùìòÇØøÅåÆæßÉ !"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà{}]*$/;

test('text messages use characters that networks send in one piece', () => {
  for (const [tag, language] of Object.entries(LANGUAGES)) {
    for (const [kind, { sms }] of Object.entries(language)) assert.match(sms, SMS_CHARACTERS, `${tag} ${kind}`);
  }
});
