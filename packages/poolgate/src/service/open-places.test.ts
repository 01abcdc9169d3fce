import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMmdb } from '../testing/mmdb-file.ts';
import { openPlaces } from './open-places.ts';

const BERLIN = {
  city: { names: { de: 'Berlin', en: 'Berlin', ja: 'ベルリン' } },
  country: { iso_code: 'DE' },
};

function writeFile(content: Uint8Array): string {
  const file = join(mkdtempSync(join(tmpdir(), 'places-')), 'cities.mmdb');
  writeFileSync(file, content);
  return file;
}

test('an address has the place in the file, with its city in the requested language if the file has it', () => {
  const findPlace = openPlaces(writeFile(createMmdb('GeoLite2-City', BERLIN)));
  assert.deepEqual(findPlace('192.0.2.1', 'ja,en;q=0.5'), { city: 'ベルリン', country: 'DE' });
  assert.deepEqual(findPlace('192.0.2.1', 'ko'), { city: 'Berlin', country: 'DE' });
  assert.deepEqual(findPlace('192.0.2.1', undefined), { city: 'Berlin', country: 'DE' });
  for (const language of ['constructor', '__proto__', 'toString,ja;q=0'])
    assert.equal(typeof findPlace('192.0.2.1', language)?.city, 'string', language);
});

test('an address that is not in the file has no place', () => {
  const findPlace = openPlaces(writeFile(createMmdb('GeoLite2-City', BERLIN)));
  for (const address of ['203.0.113.1', '2001:db8::1', 'unknown', ''])
    assert.equal(findPlace(address, 'en'), undefined);
});

test('a missing file, or one that is not a database, prevents the start, and the setting is named', () => {
  for (const file of [
    join(tmpdir(), 'missing.mmdb'),
    writeFile(Buffer.from('not a database')),
    writeFile(createMmdb('GeoLite2-ASN', BERLIN)),
  ]) {
    assert.throws(() => openPlaces(file), {
      code: 'setting_refused',
      message: /^POOLGATE_GEOIP_FILE: .*mmdb is not a/,
    });
  }
});
