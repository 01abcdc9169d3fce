import { html, nothing, type TemplateResult } from 'lit';
import { renderCodeField } from './code-field.ts';
import { renderLinkButton } from './fields.ts';
import type { RenderContext } from './render-context.ts';

/** The data to set up an authenticator app. */
export interface AuthenticatorSecret {
  /** Base32. */
  readonly secretCode: string;
  /** URL of a QR image. */
  readonly qrCodeUrl: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
}

/** The image to scan, the key for users who cannot scan it, and the field for the first code. */
export function renderAuthenticatorSetup(
  context: RenderContext & { copy(text: string): void },
  { secretCode, qrCodeUrl, uri }: AuthenticatorSecret,
): TemplateResult {
  const { translation } = context;
  return html`<p data-part="hint">${translation.text('setUp.scan')}</p>
    ${isPicture(qrCodeUrl) ? html`<img data-part="qr" src=${qrCodeUrl} alt=${translation.text('setUp.qr')} width="200" height="200" />` : nothing}
    <p data-part="hint">${translation.text('setUp.manual')}</p>
    <div data-part="key">
      <code aria-label=${translation.text('setUp.key')}>${groupInFours(secretCode)}</code>
      ${renderLinkButton(context, 'common.copy', 'copy', () => context.copy(secretCode))}
      ${
        uri.startsWith('otpauth:')
          ? html`<a data-part="link" data-name="open" href=${uri}>${translation.text('setUp.open')}</a>`
          : nothing
      }
    </div>
    <p data-part="hint">${translation.text('setUp.enter')}</p>
    ${renderCodeField(context, CODE_DIGITS)}`;
}

const CODE_DIGITS = 6;

const isPicture = (url: string): boolean => /^(?:data:image\/|https?:)/.test(url);

/** In groups of four, for typing. */
const groupInFours = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
