import type { LoginParameters } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { Layout } from '../look/appearance.ts';
import type { MessageId } from '../translations/languages.ts';
import type { Card } from '../ui/card.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import { renderHiddenUsername } from '../ui/hidden-username.ts';
import type { RenderContext } from '../ui/render-context.ts';
import type { PageName } from './links.ts';

/** The input of the first form of a sign-in. */
export interface StartCardOptions extends RenderContext {
  readonly username: string;
  /** True if only this user may sign in, to reauthenticate. */
  readonly isStepUp: boolean;
  /** False if the form asks only for the username. */
  readonly hasPassword: boolean;
  /** Whether the browser supports passkeys. */
  readonly canUsePasskeys: boolean;
  /** Undefined until the service has returned them. */
  readonly parameters: LoginParameters | undefined;
  /** True if the browser has sessions, which may outlive it. */
  readonly hasSessions: boolean;
  readonly layout: Layout;
  /** The buttons of identity providers, if there are any. */
  readonly providers: TemplateResult | typeof nothing;
  readonly link: (to: PageName, label: MessageId) => TemplateResult;
  readonly submit: (event: Event) => void;
  readonly withPasskey: () => void;
  readonly withCode: () => void;
}

/** The first form: username and password, and the other ways to sign in. */
export function createStartCard(start: StartCardOptions): Card {
  const { translation, isStepUp, hasPassword } = start;
  return {
    ...createTitle(start),
    // Until a script listens, a form with this method sends nothing, especially no password in an address.
    body: html`<form data-part="form" method="dialog" novalidate @submit=${start.submit}>
        ${isStepUp ? renderHiddenUsername(start.username) : renderUsernameField(start)}
        ${hasPassword ? renderPasswordField(start) : nothing}
        ${start.hasSessions && !isStepUp ? renderStaySignedInCheck(start) : nothing}
        ${renderButton(start, { label: isStepUp || !hasPassword ? 'common.continue' : 'signIn.submit', name: 'submit', look: 'primary' })}
      </form>
      ${renderOtherWays(start)}`,
    footer: isStepUp
      ? nothing
      : html`<span>${translation.text('signIn.noAccount')}</span>${start.link('signUp', 'signIn.register')}`,
  };
}

function createTitle({ isStepUp, translation, layout }: StartCardOptions): Pick<Card, 'title' | 'subtitle' | 'mark'> {
  if (isStepUp)
    return {
      title: translation.text('stepUp.title'),
      subtitle: translation.text('stepUp.subtitle'),
      mark: { icon: 'shield' },
    };
  return {
    title:
      layout.appName === undefined
        ? translation.text('signIn.title')
        : translation.text('signIn.titleTo', { app: layout.appName }),
    subtitle: translation.text('signIn.subtitle'),
  };
}

const renderUsernameField = (start: StartCardOptions): TemplateResult =>
  renderField(start, {
    name: 'username',
    label: 'common.username',
    autocomplete: 'username webauthn',
    kind: 'username',
    value: start.username,
  });

const renderPasswordField = (start: StartCardOptions): TemplateResult =>
  renderField(start, {
    name: 'password',
    label: 'common.password',
    autocomplete: 'current-password',
    kind: 'password',
    beside: start.isStepUp ? nothing : start.link('forgotPassword', 'signIn.forgot'),
  });

const renderStaySignedInCheck = ({ translation }: StartCardOptions): TemplateResult =>
  html`<label data-part="check"><input type="checkbox" name="stay" value="yes" /><span>${translation.text('signIn.stay')}</span></label>`;

function renderOtherWays(start: StartCardOptions): TemplateResult | typeof nothing {
  const { parameters, translation, providers } = start;
  // Challenges that occur later in a login cannot start one.
  const { first_factors: factors = [] } = parameters ?? {};
  const hasPasskeys = factors.includes('WEB_AUTHN') && start.canUsePasskeys;
  const hasCodes = factors.includes('EMAIL_OTP');
  if (!hasPasskeys && !hasCodes && providers === nothing) return nothing;
  return html`<div data-part="divider" role="presentation">${translation.text('common.or')}</div>
    ${
      hasPasskeys
        ? renderButton(start, {
            label: 'signIn.withPasskey',
            name: 'passkey',
            icon: 'fingerprint',
            onClick: start.withPasskey,
          })
        : nothing
    }
    ${hasCodes ? renderButton(start, { label: 'signIn.withCode', name: 'code', icon: 'mail', onClick: start.withCode }) : nothing}
    ${providers}`;
}
