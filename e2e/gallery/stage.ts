import type * as playwright from 'playwright-core';
import { type BrowserUser, openBrowserUser, signInAndTrust } from '../support/browser/page-person.ts';
import { callAsAdmin } from '../support/oauth/oauth-client.ts';
import { addUser, PASSWORD, type TestService } from '../support/services/test-service.ts';
import type { Camera } from './camera.ts';

/** The tools of a walk through the pages. */
export interface Stage {
  readonly service: TestService;
  readonly browser: playwright.Browser;
  readonly camera: Camera;
  /** Runs in every page before its own scripts. */
  readonly script: string;
}

/** Opens a page for a user in a new browser. */
export async function enter({ browser, service, script }: Stage, path: string): Promise<BrowserUser> {
  const person = await openBrowserUser(browser, service, {
    viewport: { width: 512, height: 480 },
    reducedMotion: 'reduce',
  });
  await person.page.addInitScript(script);
  await person.visit(path);
  await person.page.locator('h1').waitFor();
  return person;
}

/** Types name and password, and submits them. */
export async function signIn(person: BrowserUser, username: string, password = PASSWORD): Promise<void> {
  await person.type('username', username);
  await person.type('password', password);
  await person.press('submit');
}

/** Creates a user, and opens the user's account. */
export async function enterAccount(stage: Stage, email: string): Promise<BrowserUser> {
  await addUser(stage.service, email);
  const person = await enter(stage, 'login');
  await signInAndTrust(person, email, PASSWORD);
  await person.page.locator('poolgate-devices [data-part=item]').first().waitFor();
  return person;
}

/** An operation of the operator. @throws it fails */
export async function operate({ service }: Pick<Stage, 'service'>, operation: string, members: object): Promise<void> {
  await callAsAdmin(service, operation, { UserPoolId: service.userPoolId, ...members });
}
