import { html, nothing, type TemplateResult } from 'lit';
import { codeField } from './code.ts';
import { linkButton } from './fields.ts';
import type { Scene } from './scene.ts';

/** What an authenticator app is set up with. */
export interface AuthenticatorSecret {
  /** Base32. */
  readonly secretCode: string;
  /** URL of a QR image. */
  readonly qrCodeUrl: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
}

/** The picture to scan, the key for those who cannot, and the field for the first code. */
export function authenticatorSetUp(
  scene: Scene & { copy(text: string): void },
  { secretCode, qrCodeUrl, uri }: AuthenticatorSecret,
): TemplateResult {
  const { speech } = scene;
  return html`<p data-part="hint">${speech.say('setUp.scan')}</p>
    ${isPicture(qrCodeUrl) ? html`<img data-part="qr" src=${qrCodeUrl} alt=${speech.say('setUp.qr')} width="200" height="200" />` : nothing}
    <p data-part="hint">${speech.say('setUp.manual')}</p>
    <div data-part="key">
      <code aria-label=${speech.say('setUp.key')}>${grouped(secretCode)}</code>
      ${linkButton(scene, 'common.copy', 'copy', () => scene.copy(secretCode))}
      ${
        uri.startsWith('otpauth:')
          ? html`<a data-part="link" data-name="open" href=${uri}>${speech.say('setUp.open')}</a>`
          : nothing
      }
    </div>
    <p data-part="hint">${speech.say('setUp.enter')}</p>
    ${codeField(scene)}`;
}

const isPicture = (url: string): boolean => /^(?:data:image\/|https?:)/.test(url);

/** In fours, as one types it. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
