import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import {
  decodeBase64Url,
  isCredentialId,
  parseAssertionResponse,
  parseClientData,
  parseRegistrationResponse,
} from './passkey-responses.ts';

const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const DATA = { type: 'webauthn.get', challenge: 'YQ', origin: 'https://example.com' };

const REGISTRATION = {
  id: 'YQ',
  rawId: 'YQ',
  type: 'public-key',
  response: { clientDataJSON: 'YQ', attestationObject: 'YQ' },
};
const ASSERTION = {
  id: 'YQ',
  rawId: 'YQ',
  type: 'public-key',
  response: { clientDataJSON: 'YQ', authenticatorData: 'YQ', signature: 'YQ', userHandle: 'YQ' },
};

function isMalformed(error: unknown): boolean {
  return error instanceof ProviderError && error.reason === 'invalid_credential' && error.cause === undefined;
}

describe('the response of an authenticator', () => {
  it('is an object or its text, and other members are ignored', () => {
    const plain = parseRegistrationResponse(REGISTRATION);
    assert.deepEqual(parseRegistrationResponse(JSON.stringify({ ...REGISTRATION, more: 1 })), plain);
    assert.deepEqual([plain.attachment, plain.transports], [undefined, []]);
    assert.deepEqual(plain, {
      ...{ id: 'YQ', rawId: 'YQ', type: 'public-key', attachment: undefined, transports: [] },
      ...{ clientDataJSON: 'YQ', attestationObject: 'YQ' },
    });
    const told = {
      ...REGISTRATION,
      authenticatorAttachment: 'platform',
      response: { ...REGISTRATION.response, transports: ['usb'] },
    };
    assert.deepEqual(parseRegistrationResponse(told), { ...plain, attachment: 'platform', transports: ['usb'] });
    const nothing = {
      ...REGISTRATION,
      authenticatorAttachment: 1,
      response: { ...REGISTRATION.response, transports: 'usb' },
    };
    assert.deepEqual(parseRegistrationResponse(nothing), plain);
    assert.equal(parseAssertionResponse(JSON.stringify(ASSERTION)).userHandle, 'YQ');
    const old = { ...ASSERTION, response: { ...ASSERTION.response, userHandle: null } };
    assert.equal(parseAssertionResponse(JSON.stringify(old)).userHandle, undefined);
  });

  it('is refused if a member is missing, has another type, or is only inherited', () => {
    const broken: unknown[] = [undefined, null, 1, true, [], 'no JSON', '"text"', '[]', 'null', {}, { response: {} }];
    for (const name of ['id', 'rawId', 'type', 'response']) {
      broken.push({ ...REGISTRATION, [name]: undefined }, { ...REGISTRATION, [name]: 1 });
    }
    for (const name of ['clientDataJSON', 'attestationObject']) {
      broken.push({ ...REGISTRATION, response: { ...REGISTRATION.response, [name]: [] } });
    }
    broken.push('{"id":"YQ","rawId":"YQ","type":"public-key","__proto__":{"response":{}}}');
    for (const credential of broken) assert.throws(() => parseRegistrationResponse(credential), isMalformed);
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
      const answer = { ...ASSERTION, response: { ...ASSERTION.response, [name]: 1 } };
      assert.throws(() => parseAssertionResponse(JSON.stringify(answer)), isMalformed, name);
    }
  });

  it('is refused with a text about what is missing, without repeating it', () => {
    const rows: readonly (readonly [unknown, string])[] = [
      ['no JSON', 'is not JSON'],
      ['{"id":"YQ","response":{"a":1,"a":1}}', 'names a member twice'],
      ['null', 'is not an object with a response in it'],
      [null, 'is not an object with a response in it'],
      [[], 'is not an object with a response in it'],
      [{ ...REGISTRATION, response: undefined }, 'is not an object with a response in it'],
      [{ ...REGISTRATION, id: 1 }, 'has no id'],
      [{ ...REGISTRATION, rawId: undefined }, 'has no rawId'],
      [{ ...REGISTRATION, type: null }, 'has no type'],
      [{ ...REGISTRATION, response: { attestationObject: 'YQ' } }, 'has no clientDataJSON'],
      [{ ...REGISTRATION, response: { clientDataJSON: 'YQ' } }, 'has no attestationObject'],
      [{ ...REGISTRATION, response: Object.create(REGISTRATION.response) }, 'has no clientDataJSON'],
    ];
    for (const [credential, problem] of rows) {
      assert.throws(() => parseRegistrationResponse(credential), {
        code: 'InvalidParameterException',
        message: `The credential ${problem}.`,
        reason: 'invalid_credential',
      });
    }
    const { response } = ASSERTION;
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const answer = JSON.stringify({ ...ASSERTION, response: { ...response, [name]: undefined } });
      assert.throws(() => parseAssertionResponse(answer), { message: `The credential has no ${name}.` });
    }
    const { userHandle: _, ...without } = response;
    assert.deepEqual(parseAssertionResponse(JSON.stringify({ ...ASSERTION, response: without })), {
      ...{ id: 'YQ', rawId: 'YQ', type: 'public-key', userHandle: undefined, ...without },
    });
  });

  it('is base64url with a single spelling', () => {
    assert.deepEqual([...(decodeBase64Url('YQ') ?? [])], [97]);
    for (const other of ['YQ==', 'YR', 'Y', 'YQ ', 'Y-_', 'a+b/', 'YQ\n', 'ÿ'])
      assert.equal(decodeBase64Url(other), undefined, other);
  });

  it('has an ID of 1 to 1023 bytes', () => {
    const createId = (length: number) => Buffer.alloc(length).toString('base64url');
    assert.deepEqual(
      [0, 1, 1023, 1024].map((length) => isCredentialId(createId(length))),
      [false, true, true, false],
    );
    assert.ok(!isCredentialId('not/base64url'));
  });

  it('shows whether the page was in a frame', () => {
    const { origin } = DATA;
    assert.deepEqual(parseClientData(text(DATA)), { ...DATA, isFramed: false });
    assert.equal(parseClientData(text({ ...DATA, crossOrigin: false }))?.isFramed, false);
    assert.equal(parseClientData(text({ ...DATA, crossOrigin: true }))?.isFramed, true);
    assert.equal(parseClientData(text({ ...DATA, topOrigin: origin }))?.isFramed, true);
    assert.equal(parseClientData(text({ ...DATA, crossOrigin: false, topOrigin: null }))?.isFramed, true);
  });

  it('is refused if the client data contain a duplicate member', () => {
    const twice = `${JSON.stringify(DATA).slice(0, -1)},"origin":"https://other.example"}`;
    assert.equal(parseClientData(Buffer.from(twice).toString('base64url')), undefined);
  });

  it('has client data with text members, in UTF-8', () => {
    const broken = ['type', 'challenge', 'origin'].flatMap((name) => [
      { ...DATA, [name]: undefined },
      { ...DATA, [name]: 1 },
    ]);
    for (const data of [
      null,
      [],
      'text',
      1,
      {},
      ...broken,
      { ...DATA, crossOrigin: 'true' },
      { ...DATA, crossOrigin: 0 },
    ]) {
      assert.equal(parseClientData(text(data)), undefined);
    }
    assert.equal(parseClientData(Buffer.from([0xff, 0xfe]).toString('base64url')), undefined);
    assert.equal(parseClientData(`${text(DATA)}=`), undefined);
    const ill = Buffer.concat([
      Buffer.from('{"type":"'),
      Buffer.from([0xff]),
      Buffer.from('","challenge":"","origin":""}'),
    ]);
    assert.equal(parseClientData(ill.toString('base64url')), undefined);
    assert.equal(parseClientData(''), undefined);
  });
});
