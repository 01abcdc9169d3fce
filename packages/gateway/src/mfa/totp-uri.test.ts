import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQrCodeUrl } from './qr-code.ts';
import { formatTotpUri } from './totp-uri.ts';

const secretCode = 'GEZDGNBVGY3TQOJQ';

test('issuer and account are percent-encoded, so neither can add a parameter or end the label', () => {
  assert.equal(
    formatTotpUri({ issuer: 'login.example.test', name: 'ada@example.test', secretCode }),
    'otpauth://totp/login.example.test:ada%40example.test?secret=GEZDGNBVGY3TQOJQ&issuer=login.example.test',
  );
  const name = "a:b?secret=X&issuer=Y#z/%'()*! é";
  const uri = new URL(formatTotpUri({ issuer: 'My Host', name, secretCode }));
  assert.equal(uri.pathname, `/My%20Host:a%3Ab%3Fsecret%3DX%26issuer%3DY%23z%2F%25%27%28%29%2A%21%20%C3%A9`);
  assert.deepEqual(
    [...uri.searchParams],
    [
      ['secret', secretCode],
      ['issuer', 'My Host'],
    ],
  );
  assert.equal(uri.hash, '');
  assert.doesNotMatch(uri.href, /\+/);
});

test('a name of any length and of any characters fits into a QR code', () => {
  for (const name of ['😀'.repeat(2048), `\ud800${'ä'.repeat(70_000)}`]) {
    const uri = formatTotpUri({ issuer: `${'i'.repeat(249)}.io`, name, secretCode: 'A'.repeat(256) });
    assert.match(createQrCodeUrl('builtin', uri), /^data:image\/svg/);
  }
});

test('without an account the issuer is the label', () => {
  assert.equal(
    formatTotpUri({ issuer: 'h', name: undefined, secretCode }),
    `otpauth://totp/h?secret=${secretCode}&issuer=h`,
  );
});
