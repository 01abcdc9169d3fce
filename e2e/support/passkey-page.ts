import type * as playwright from 'playwright-core';
import type { WebFile } from './web-site.ts';

/** A page with a field that passkeys are offered in; what it does is up to the test. */
export const LOGIN_PAGE: WebFile = {
  type: 'text/html',
  text: '<!doctype html><title>Login</title><input name="username" autocomplete="username webauthn">',
};

/** An answer of the service, as a page sees it. */
export interface PageAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What `navigator.credentials` gave, or why it gave nothing. */
export type Ceremony =
  | { readonly credential: ReturnType<PublicKeyCredential['toJSON']>; readonly error?: never }
  | { readonly credential?: never; readonly error: string };

/** What pages do with passkeys, each in the page itself. */
export class PasskeyPage {
  readonly page: playwright.Page;
  readonly #service: string;

  constructor(page: playwright.Page, service: string) {
    this.page = page;
    this.#service = service;
  }

  /** Sends JSON to the service from the page, so that the rules of cross-origin requests hold. */
  ask(method: string, path: string, body?: unknown, accessToken?: string): Promise<PageAnswer> {
    const url = `${this.#service}${path}`;
    return this.page.evaluate(
      async ({ url, method, body, accessToken }) => {
        const answer = await fetch(url, {
          method,
          headers: {
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: answer.status, body: await answer.json() };
      },
      { url, method, body, accessToken },
    );
  }

  /** `navigator.credentials.create` with options of the service. */
  create(options: unknown): Promise<Ceremony> {
    return this.page.evaluate(async (json) => {
      try {
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
        const created = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
        return { credential: created.toJSON() };
      } catch (error) {
        return { error: (error as Error).name };
      }
    }, options as PublicKeyCredentialCreationOptionsJSON);
  }

  /** `navigator.credentials.get` with options of the service. */
  get(options: unknown, mediation: CredentialMediationRequirement = 'optional'): Promise<Ceremony> {
    return this.page.evaluate(
      async ({ json, mediation }) => {
        try {
          const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
          const given = (await navigator.credentials.get({ publicKey, mediation })) as PublicKeyCredential;
          return { credential: given.toJSON() };
        } catch (error) {
          return { error: (error as Error).name };
        }
      },
      { json: options as PublicKeyCredentialRequestOptionsJSON, mediation },
    );
  }

  /** Tells the device that the service knows a credential no more. */
  signalUnknown(signal: { readonly rpId: string; readonly credentialId: string }): Promise<void> {
    return this.page.evaluate((unknown) => PublicKeyCredential.signalUnknownCredential(unknown), signal);
  }
}
