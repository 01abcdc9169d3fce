import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toDeviceName } from './device-name.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

it('a device is named after browser and system, whatever else the browser claims to be', () => {
  for (const [userAgent, name] of [
    [`${MAC} Version/18.0 Safari/605.1.15`, 'Safari · macOS'],
    [`${PHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari · iPhone'],
    [`${PHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome · iPhone'],
    [`${WINDOWS} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge · Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
    ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome · Android'],
    ['curl/8', undefined],
    ['', undefined],
  ] as const)
    assert.equal(toDeviceName(userAgent), name, userAgent);
});
