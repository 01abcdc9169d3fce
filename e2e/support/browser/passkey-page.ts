import type * as playwright from 'playwright-core';
import type { WebFile } from './web-site.ts';

/** A page with a field that offers passkeys; the test decides what it does. */
export const LOGIN_PAGE: WebFile = {
  type: 'text/html',
  text: '<!doctype html><title>Login</title><input name="username" autocomplete="username webauthn">',
};

/** A response of the service, as a page sees it. */
export interface PageResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The result of `navigator.credentials`, or its error. */
export type CeremonyResult =
  | { readonly credential: ReturnType<PublicKeyCredential['toJSON']>; readonly error?: never }
  | { readonly credential?: never; readonly error: string };

/** A login that waits for a passkey, with the options for the browser. */
export interface PagePasskeyChallenge {
  /** Empty if the login has none. */
  readonly username: string;
  readonly session: string;
  readonly options: {
    readonly rpId: string;
    readonly userVerification: string;
    readonly allowCredentials?: readonly { readonly id: string }[];
  };
}

/** Passkey operations, each in the page itself. */
export class PasskeyPage {
  readonly page: playwright.Page;
  readonly #service: string;

  constructor(page: playwright.Page, service: string) {
    this.page = page;
    this.#service = service;
  }

  /** Sends JSON to the service from the page, so that the rules of cross-origin requests apply. */
  ask(method: string, path: string, body?: unknown, accessToken?: string): Promise<PageResponse> {
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
  create(options: unknown): Promise<CeremonyResult> {
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
  get(options: unknown, mediation: CredentialMediationRequirement = 'optional'): Promise<CeremonyResult> {
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

  /** Like {@link get} with autofill, aborted by the page after another request to the service. */
  getThenAbort(options: unknown, path: string): Promise<{ readonly status: number; readonly error: string }> {
    return this.page.evaluate(
      async ({ json, url }) => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
        const controller = new AbortController();
        const waiting = navigator.credentials
          .get({ publicKey, mediation: 'conditional', signal: controller.signal })
          .then(() => 'none')
          .catch((error: Error) => error.name);
        const { status } = await fetch(url);
        controller.abort();
        return { status, error: await waiting };
      },
      { json: options as PublicKeyCredentialRequestOptionsJSON, url: `${this.#service}${path}` },
    );
  }

  /** Tells the device that the service does not know a credential. */
  signalUnknown(signal: { readonly rpId: string; readonly credentialId: string }): Promise<void> {
    return this.page.evaluate((unknown) => PublicKeyCredential.signalUnknownCredential(unknown), signal);
  }

  /** POST /login; returns the access token. */
  async passwordLogin(username: string, password: string): Promise<string> {
    const { status, body } = await this.ask('POST', '/login', { username, password });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return String(body.access_token);
  }

  /** Creates a credential with the options of the service, and sends it. */
  async register(accessToken: string): Promise<PageResponse> {
    const { body: options } = await this.ask('POST', '/passkey/start', {}, accessToken);
    const { credential, error } = await this.create(options);
    if (error !== undefined) throw new Error(error);
    return this.ask('POST', '/passkey/complete', { credential }, accessToken);
  }

  /** Starts a passkey login; an empty name starts one without a user. */
  async asked(username: string): Promise<PagePasskeyChallenge> {
    const { status, body } = await (username === ''
      ? this.ask('POST', '/login/passkey/discoverable', {})
      : this.ask('POST', '/login/passkey/challenge/WEB_AUTHN', { username }));
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { CREDENTIAL_REQUEST_OPTIONS = '' } = body.ChallengeParameters as Readonly<Record<string, string>>;
    const options = JSON.parse(CREDENTIAL_REQUEST_OPTIONS) as PagePasskeyChallenge['options'];
    return { username, session: String(body.Session), options };
  }

  /** Answers it. */
  answer({ username, session }: PagePasskeyChallenge, credential: unknown): Promise<PageResponse> {
    const whose = username === '' ? {} : { username };
    const body = { challenge_name: 'WEB_AUTHN', session, challenge_value: credential, ...whose };
    return this.ask('POST', '/login/challenge', body);
  }

  /** A complete passkey login. */
  async logIn(username: string, mediation: CredentialMediationRequirement = 'optional'): Promise<PageResponse> {
    const asked = await this.asked(username);
    const { credential, error } = await this.get(asked.options, mediation);
    if (error !== undefined) throw new Error(error);
    return this.answer(asked, credential);
  }
}
