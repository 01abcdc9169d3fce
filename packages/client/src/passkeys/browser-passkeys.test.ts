import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FakePasskeyBrowser, installFakePasskeyBrowser } from '../testing/fake-passkey-browser.ts';
import { createBrowserPasskeys } from './browser-passkeys.ts';
import { decodeBase64Url, parseRequestOptions, toAssertionJson, toAttestationJson } from './webauthn-json.ts';

const CHALLENGE = '-_8AfwCA';
const REQUEST = JSON.stringify({ challenge: CHALLENGE, rpId: 'localhost', timeout: 60_000 });
const CREATION = {
  challenge: CHALLENGE,
  rp: { id: 'localhost', name: 'Test' },
  user: { id: 'YWRh', name: 'ada', displayName: 'Ada' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  excludeCredentials: [
    { type: 'public-key', id: '_-8', transports: ['internal'] },
    { type: 'public-key', id: 'AQ' },
  ],
  timeout: 60_000,
} as unknown as PublicKeyCredentialCreationOptionsJSON;
const CHARACTERS = /^[\w-]+$/;

describe('browser passkeys', () => {
  let page: FakePasskeyBrowser;
  let nowMs = 0;
  const passkeys = () => createBrowserPasskeys(() => nowMs);
  beforeEach(() => {
    nowMs = 0;
    page = installFakePasskeyBrowser('http://localhost:3000');
  });
  afterEach(() => page.leave());

  it('are requested with bytes and returned as WebAuthn JSON', async () => {
    const options: PublicKeyCredentialCreationOptions[] = [];
    const { create } = navigator.credentials;
    navigator.credentials.create = (given) => {
      if (given?.publicKey) options.push(given.publicKey);
      return create.call(navigator.credentials, given);
    };
    const made = await passkeys().create(CREATION);
    const asked = options[0] ?? assert.fail();
    assert.deepEqual([...(asked.challenge as Uint8Array)], [0xfb, 0xff, 0x00, 0x7f, 0x00, 0x80]);
    assert.deepEqual([...(asked.user.id as Uint8Array)], [0x61, 0x64, 0x61]);
    assert.deepEqual(
      asked.excludeCredentials?.map(({ id, transports }) => [[...(id as Uint8Array)], transports]),
      [
        [[0xff, 0xef], ['internal']],
        [[1], undefined],
      ],
    );
    assert.ok('credential' in made);
    const { id, rawId, type, authenticatorAttachment, clientExtensionResults, response } = JSON.parse(made.credential);
    assert.deepEqual(
      [rawId, type, authenticatorAttachment, clientExtensionResults],
      [id, 'public-key', 'platform', {}],
    );
    assert.deepEqual(response.transports, ['internal']);
    for (const part of [id, response.clientDataJSON, response.attestationObject]) assert.match(part, CHARACTERS);
    assert.equal(JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()).challenge, CHALLENGE);
    const proven = await passkeys().get(
      JSON.stringify({ challenge: CHALLENGE, rpId: 'localhost', allowCredentials: [{ type: 'public-key', id }] }),
    );
    assert.ok('credential' in proven);
    const proof = JSON.parse(proven.credential);
    assert.deepEqual([proof.id, proof.response.userHandle], [id, 'YWRh']);
    for (const part of [proof.response.authenticatorData, proof.response.signature]) assert.match(part, CHARACTERS);
    assert.equal(page.requests[0]?.mediation, undefined);
  });

  it('distinguish by time whether the user declined or never responded', async () => {
    const fails = (tookMs: number) => async () => {
      nowMs += tookMs;
      throw new DOMException('', 'NotAllowedError');
    };
    const failure = async (tookMs: number, options: string) => {
      page.userAction = fails(tookMs);
      const given = await passkeys().get(options);
      return 'failure' in given ? given.failure : undefined;
    };
    assert.deepEqual([await failure(59_999, REQUEST), await failure(60_000, REQUEST)], ['cancelled', 'timedOut']);
    const untimed = JSON.stringify({ challenge: CHALLENGE, rpId: 'localhost' });
    assert.deepEqual([await failure(299_999, untimed), await failure(300_000, untimed)], ['cancelled', 'timedOut']);
    page.userAction = fails(60_000);
    assert.deepEqual(await passkeys().create(CREATION), { failure: 'timedOut' });
    page.userAction = fails(59_999);
    assert.deepEqual(await passkeys().create(CREATION), { failure: 'cancelled' });
    const { timeout: _, ...untimedCreation } = CREATION;
    for (const [tookMs, why] of [
      [299_999, 'cancelled'],
      [300_000, 'timedOut'],
    ] as const) {
      page.userAction = fails(tookMs);
      assert.deepEqual(await passkeys().create(untimedCreation), { failure: why });
    }
    page.userAction = fails(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(await passkeys().get(REQUEST, { isConditional: true }), { failure: 'cancelled' });
  });

  it('report what the browser says, however late it says so', async () => {
    for (const [name, why] of [
      ['AbortError', 'cancelled'],
      ['ConstraintError', 'notSupported'],
      ['InvalidStateError', 'alreadyRegistered'],
      ['NotSupportedError', 'notSupported'],
      ['TimeoutError', 'timedOut'],
    ] as const) {
      page.userAction = async () => {
        nowMs += 60_000;
        throw new DOMException('', name);
      };
      assert.deepEqual(await passkeys().get(REQUEST), { failure: why });
      assert.deepEqual(await passkeys().create(CREATION), { failure: why });
    }
    page.userAction = async () => {
      throw new DOMException('', 'SecurityError');
    };
    await assert.rejects(passkeys().get(REQUEST), { name: 'SecurityError' });
    page.userAction = async () => null;
    assert.deepEqual(await passkeys().get(REQUEST), { failure: 'cancelled' });
    assert.deepEqual(await passkeys().create(CREATION), { failure: 'cancelled' });
  });

  it('run one ceremony at a time, because a browser allows only one', async () => {
    const log: string[] = [];
    const isOffered = async (signal: AbortSignal): Promise<null> => {
      log.push('offered');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      log.push('ended');
      throw new DOMException('', 'AbortError');
    };
    const browser = passkeys();
    const asksNext = async () => {
      log.push('asked');
      return null;
    };
    for (const ask of [() => browser.get(REQUEST), () => browser.create(CREATION)]) {
      page.userAction = isOffered;
      const begun = log.push('begun');
      const offered = browser.get(REQUEST, { isConditional: true });
      while (log.length === begun) await new Promise(setImmediate);
      page.userAction = asksNext;
      await ask();
      await offered;
    }
    const each = ['begun', 'offered', 'ended', 'asked'];
    assert.deepEqual(log, [...each, ...each]);
  });

  it('are encoded as base64url, whatever their bytes', () => {
    const toBuffer = (...bytes: readonly number[]) => new Uint8Array(bytes).buffer;
    const response = {
      clientDataJSON: toBuffer(0xfb, 0xff, 0xfe),
      authenticatorData: toBuffer(0xff),
      signature: toBuffer(0xff, 0xef),
      userHandle: null,
      attestationObject: toBuffer(),
    };
    const credential = { rawId: toBuffer(0xfb, 0xef, 0xbe, 0xff), type: 'public-key', response };
    const lasting = { id: '----_w', rawId: '----_w', type: 'public-key', clientExtensionResults: {} };
    const of = (authenticatorAttachment: string | null, more: object = {}) =>
      ({
        ...credential,
        response: { ...response, ...more },
        authenticatorAttachment,
      }) as unknown as PublicKeyCredential;
    const signed = { clientDataJSON: '-__-', authenticatorData: '_w', signature: '_-8' };
    assert.deepEqual(toAssertionJson(of(null)), { ...lasting, response: signed });
    assert.deepEqual(toAssertionJson(of('platform', { userHandle: toBuffer(0x61) })), {
      ...lasting,
      authenticatorAttachment: 'platform',
      response: { ...signed, userHandle: 'YQ' },
    });
    const registered = { clientDataJSON: '-__-', attestationObject: '', transports: [] };
    assert.deepEqual(toAttestationJson(of(null)), { ...lasting, response: registered });
    assert.deepEqual([...decodeBase64Url('-_8AfwCA')], [0xfb, 0xff, 0x00, 0x7f, 0x00, 0x80]);
    const listed = parseRequestOptions({ challenge: 'AQ', allowCredentials: [{ type: 'public-key', id: '_-8' }] });
    assert.deepEqual(listed, {
      challenge: new Uint8Array([1]),
      allowCredentials: [{ type: 'public-key', id: new Uint8Array([0xff, 0xef]) }],
    });
    assert.deepEqual(parseRequestOptions({ challenge: 'AQ' }), { challenge: new Uint8Array([1]) });
  });

  it('stop when the page aborts, and in a field when a button asks', async () => {
    const signals: AbortSignal[] = [];
    page.userAction = (signal) => {
      signals.push(signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      );
    };
    const abort = new AbortController();
    const browser = passkeys();
    const asked = browser.get(REQUEST, { signal: abort.signal });
    while (signals.length < 1) await new Promise(setImmediate);
    abort.abort();
    assert.deepEqual(await asked, { failure: 'cancelled' });
    const offered = browser.get(REQUEST, { isConditional: true });
    while (signals.length < 2) await new Promise(setImmediate);
    assert.equal(signals[1]?.aborted, false);
    page.userAction = undefined;
    const made = await browser.create(CREATION);
    assert.ok('credential' in made);
    assert.deepEqual(await offered, { failure: 'cancelled' });
    page.userAction = async (signal) => {
      throw new DOMException('', signal.aborted ? 'AbortError' : 'NotSupportedError');
    };
    assert.deepEqual(await browser.get(REQUEST, { signal: AbortSignal.abort() }), { failure: 'cancelled' });
    assert.deepEqual(await browser.create(CREATION, AbortSignal.abort()), { failure: 'cancelled' });
  });

  it('are unavailable in an old browser, which also ignores signals', async () => {
    Object.assign(globalThis, { PublicKeyCredential: {} });
    assert.equal(await passkeys().hasAutofill(), false);
    await passkeys().signal('unknownCredential', { rpId: 'localhost', credentialId: 'AQ' });
    Object.assign(globalThis, {
      PublicKeyCredential: {
        signalUnknownCredential: async () => {
          throw new TypeError('no');
        },
      },
    });
    await passkeys().signal('unknownCredential', { rpId: 'localhost', credentialId: 'AQ' });
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    assert.equal(await passkeys().hasAutofill(), false);
    assert.deepEqual(await passkeys().get(REQUEST), { failure: 'notSupported' });
    assert.deepEqual(await passkeys().create(CREATION), { failure: 'notSupported' });
  });
});
