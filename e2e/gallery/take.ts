/**
 * Takes the pictures of docs/reference/pages-gallery.md from running services, in the tests' browser, and writes that page. `npm run
 * gallery` takes all of them into docs/screenshots. To take some: `npm run gallery -- --png <folder> [--walk <regular expression>]
 * [<regular expression>]`. The first expression is for walks (functions of the files here), the second for names of pictures.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as handlers from '../../examples/triggers/handlers.ts';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { CHROMIUM_VARIABLE, extractChromium } from '../support/browser/chromium.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';
import { formatTriggerArn, startTriggeredService } from '../support/triggers/triggered-service.ts';
import { mailLinks, newAccount, recovery, signUp, usedAccount } from './account-walks.ts';
import { applications } from './application-walks.ts';
import { arabicFontScript } from './arabic-font.ts';
import { openCamera } from './camera.ts';
import { consoleScreens } from './console-walks.ts';
import { galleryPage } from './gallery-page.ts';
import { firstStates, signedInPages, wholePages } from './page-walks.ts';
import {
  afterThePassword,
  deletedAccount,
  firstForm,
  otherWays,
  strictPool,
  troubles,
  twoSecondSteps,
} from './sign-in-walks.ts';
import type { Stage } from './stage.ts';

const DOCS = new URL('../../docs/', import.meta.url);

const { values, positionals } = parseArgs({
  options: { png: { type: 'string' }, walk: { type: 'string', default: '' } },
  allowPositionals: true,
});
const walked = new RegExp(values.walk);
const wanted = new RegExp(positionals[0] ?? '');
process.env[CHROMIUM_VARIABLE] ??= await extractChromium();

const script = await arabicFontScript();
const browser = await launchBrowser();
const camera = await openCamera(browser, values.png ?? new URL('screenshots/', DOCS).pathname, {
  format: values.png === undefined ? 'webp' : 'png',
  isWanted: (name) => wanted.test(name),
});

/** The state of the page when a walk failed. */
async function showWhere(name: string): Promise<void> {
  const page = browser.contexts().at(-1)?.pages()[0];
  if (values.png !== undefined) await page?.screenshot({ path: `${values.png}/failed-${name}.png`, fullPage: true });
}

type Walk = (stage: Stage) => Promise<void>;

async function walkThrough(open: () => Promise<TestService>, walks: readonly Walk[]): Promise<void> {
  const chosen = walks.filter(({ name }) => walked.test(name));
  if (chosen.length === 0) return;
  const service = await open();
  for (const walk of chosen)
    await walk({ service, browser, camera, script }).catch((error: unknown) => {
      console.error(`${walk.name}:`, error);
      process.exitCode = 1;
      return showWhere(walk.name);
    });
  await service.close();
}

const openDefault = (): Promise<TestService> => {
  const mfaTypes = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'] as const;
  return startTestService({ appName: 'Acme', mfaTypes, issuer: 'base-url' }, new TestClock(Date.now()));
};

/** A pool that requires a second step, and whose operator asks a question. */
const openStrict = (): Promise<TestService> => {
  const kinds = {
    DefineAuthChallenge: formatTriggerArn('define'),
    CreateAuthChallenge: formatTriggerArn('create'),
    VerifyAuthChallengeResponse: formatTriggerArn('verify'),
  };
  const triggers = {
    [kinds.DefineAuthChallenge]: handlers.defineAuthChallenge,
    [kinds.CreateAuthChallenge]: handlers.createAuthChallenge,
    [kinds.VerifyAuthChallengeResponse]: handlers.verifyAuthChallengeResponse,
  };
  return startTriggeredService(kinds, { appName: 'Acme', mfaSetup: 'ON', triggers });
};

await walkThrough(openDefault, [firstForm, troubles, otherWays, afterThePassword, deletedAccount, twoSecondSteps]);
await walkThrough(openDefault, [
  signUp,
  recovery,
  newAccount,
  usedAccount,
  firstStates,
  wholePages,
  signedInPages,
  mailLinks,
  applications,
]);
await walkThrough(openDefault, [consoleScreens]);
await walkThrough(openStrict, [strictPool]);
await browser.close();
if (values.walk === '') camera.finish();
if (values.png === undefined) await writeFile(new URL('reference/pages-gallery.md', DOCS), galleryPage());
