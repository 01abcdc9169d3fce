import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openPage as openAddress } from '../testing/happy-dom.ts';
import { waitUntilSettled } from '../testing/mount-element.ts';
import { openPage } from './open-page.ts';
import type { showPage } from './show-page.ts';

type PageStart = Parameters<typeof showPage>[0];

/** An English page with a server-rendered form, at an address with this query. */
function servePage(context: TestContext, query = '') {
  openAddress(`/cognito/login${query}`);
  sessionStorage.clear();
  document.documentElement.lang = 'en';
  document.body.innerHTML =
    '<main id="main"><div data-drawn><button type="button" data-name="passkey">Passkey</button></div><p data-part="no-script">No script</p></main>';
  const pressed: string[] = [];
  const form = document.querySelector<HTMLElement>('[data-drawn]') ?? assert.fail();
  form.addEventListener('click', () => void pressed.push('passkey'));
  context.mock.getter(document, 'visibilityState', () => 'hidden');
  context.after(() => {
    document.body.replaceChildren();
    sessionStorage.clear();
  });
  return { form, pressed, hasNoScript: () => document.querySelector('#main > [data-part=no-script]') !== null };
}

describe('the script of a page', () => {
  it('passes on the rendered form, and does what was pressed in it meanwhile', async (context) => {
    const { form, pressed, hasNoScript } = servePage(context);
    const { promise, resolve } = Promise.withResolvers<void>();
    const starts: PageStart[] = [];
    const show = async (start: PageStart) => {
      starts.push(start);
      await promise;
    };
    const opened = openPage(async () => ({ showPage: show }));
    await waitUntilSettled();
    form.querySelector('button')?.click();
    assert.deepEqual([starts.map(({ drawn, chosen }) => [drawn, chosen]), pressed], [[[form, undefined]], []]);
    resolve();
    await opened;
    assert.deepEqual([pressed, hasNoScript()], [['passkey'], false]);
  });

  it('loads what makes the form work after it is painted', async (context) => {
    servePage(context);
    context.mock.restoreAll();
    const frames: FrameRequestCallback[] = [];
    context.mock.method(globalThis, 'requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
    let loaded = 0;
    const opened = openPage(async () => {
      loaded++;
      return { showPage: async () => {} };
    });
    await waitUntilSettled();
    assert.deepEqual([loaded, frames.length], [0, 1]);
    frames[0]?.(0);
    await opened;
    assert.equal(loaded, 1);
  });

  it('removes the form if another language was chosen, and keeps that choice', async (context) => {
    const { form, hasNoScript } = servePage(context, '?lang=de');
    const starts: PageStart[] = [];
    await openPage(async () => ({ showPage: async (start) => void starts.push(start) }));
    assert.deepEqual(
      [starts.map(({ drawn, chosen }) => [drawn, chosen]), form.isConnected, hasNoScript()],
      [[[null, 'de']], false, true],
    );
    starts[0]?.choose('fr');
    assert.equal(sessionStorage.getItem('poolgate-language'), 'fr');
  });

  it('says that it needs scripts if they cannot be loaded, and presses nothing', async (context) => {
    const { form, pressed, hasNoScript } = servePage(context);
    const failed = openPage(() => Promise.reject(new TypeError('not there')));
    assert.equal(hasNoScript(), false);
    form.querySelector('button')?.click();
    await assert.rejects(failed, { message: 'not there' });
    assert.deepEqual([pressed, hasNoScript()], [[], true]);
  });
});
