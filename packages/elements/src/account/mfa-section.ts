import type { Factors, NewAuthenticator } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { renderAuthenticatorSetup } from '../ui/authenticator-setup.ts';
import { checkRequired, normalizeCode } from '../ui/field-checks.ts';
import { renderButton } from '../ui/fields.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderBadge, renderFormButtons, renderSmallButton } from './list-items.ts';

/** Downloads the codes as a file. */
function downloadCodes(codes: readonly string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(link.href);
}

const TOTP = 'SOFTWARE_TOKEN_MFA';

/** The second factor: the authenticator app with its QR code, and the recovery codes. */
export class PoolgateMfa extends PoolgateSection<Factors> {
  static override properties: PropertyDeclarations = {
    ...PoolgateSection.properties,
    pending: { state: true },
    codes: { state: true },
  };

  protected readonly heading = { title: 'mfa.title', subtitle: 'mfa.subtitle' } as const;
  /** A new authenticator app that waits for its first code. */
  declare private pending: NewAuthenticator | undefined;
  /** New recovery codes, shown only once. */
  declare private codes: readonly string[] | undefined;

  protected load(): Promise<Factors> {
    return this.service.mfa.factors();
  }

  protected show(factors: Factors): SectionContent {
    const isOn = factors.mfa.methods.includes(TOTP);
    const { context } = this;
    return {
      ...this.heading,
      badge: renderBadge(context, isOn ? 'mfa.on' : 'mfa.off', isOn ? 'success' : undefined),
      body: this.codes === undefined ? this.controls(factors) : this.recoveryCodes(this.codes),
    };
  }

  private controls(factors: Factors): TemplateResult {
    const { pending } = this;
    if (pending !== undefined) return this.setUp(pending);
    const { context } = this;
    const isOn = factors.mfa.methods.includes(TOTP);
    // A disabled authenticator app is no longer listed, but its recovery codes still exist.
    const hasOne = isOn || (factors.recoveryCodesLeft ?? 0) > 0;
    const toggle = isOn
      ? renderSmallButton(context, {
          label: 'mfa.disable',
          name: 'disable',
          look: 'danger',
          onClick: () => this.switchOff(),
        })
      : renderSmallButton(context, {
          label: 'mfa.enable',
          name: 'enable',
          look: 'primary',
          onClick: () => this.switchOn(),
        });
    return html`<div data-part="actions">
        ${renderSmallButton(context, {
          label: hasOne ? 'mfa.replace' : 'mfa.setUp',
          name: 'set-up',
          ...(hasOne ? {} : { look: 'primary' as const }),
          onClick: () => this.begin(),
        })}${hasOne ? toggle : nothing}
      </div>
      ${isOn ? this.recovery(factors.recoveryCodesLeft) : nothing}`;
  }

  /** Some providers do not have them. */
  private get hasRecoveryCodes(): boolean {
    return this.parameters?.capabilities.includes('create_recovery_codes') !== false;
  }

  private recovery(count: number | null): TemplateResult | typeof nothing {
    const { context } = this;
    const title = html`<h3 data-part="label">${context.translation.text('mfa.recoveryTitle')}</h3>`;
    if (!this.hasRecoveryCodes) return html`${title}${this.text('common.notSupported')}`;
    if (count === null) return nothing;
    return html`${title}
      <div data-part="actions">
        <span>${context.translation.text('mfa.recoveryLeft', { count })}</span>
        ${renderSmallButton(context, { label: 'mfa.recoveryMake', name: 'recovery', onClick: () => this.makeCodes() })}
      </div>`;
  }

  private setUp(pending: NewAuthenticator): TemplateResult {
    const { context } = this;
    const copying = { ...context, copy: (text: string) => this.copy(text) };
    return html`<form data-part="form" novalidate @submit=${(event: Event) => this.verify(event, pending)}>
      ${renderAuthenticatorSetup(copying, pending)}
      ${renderFormButtons(context, { submit: 'setUp.submit', cancel: () => this.cancel() })}
    </form>`;
  }

  private recoveryCodes(codes: readonly string[]): TemplateResult {
    const { context } = this;
    const kept = (): void => {
      this.codes = undefined;
      this.form.reset();
      this.focusNext();
    };
    return html`<h3 data-part="label">${context.translation.text('mfa.recoveryTitle')}</h3>
      <p data-part="hint">${context.translation.text('mfa.recoveryKeep')}</p>
      <ul data-part="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
      <div data-part="actions">
        ${renderButton(context, { label: 'mfa.recoveryKept', name: 'kept', look: 'primary', isWide: false, onClick: kept })}
        ${renderButton(context, { label: 'common.copy', name: 'copy', isWide: false, onClick: () => this.copy(codes.join('\n')) })}
        ${renderButton(context, { label: 'common.download', name: 'download', isWide: false, onClick: () => downloadCodes(codes) })}
      </div>`;
  }

  private begin(): void {
    void this.change('set-up', async () => {
      this.pending = await this.service.mfa.activate();
      this.focusNext();
    });
  }

  private cancel(): void {
    this.pending = undefined;
    this.form.reset();
    this.focusNext();
  }

  private verify(event: Event, pending: NewAuthenticator): void {
    void this.form.submit(event, { code: checkRequired }, ({ code = '' }) =>
      this.applyChange(
        'submit',
        async () => {
          const outcome = await pending.verify(normalizeCode(code));
          this.pending = undefined;
          return outcome.loginEnded || !this.hasRecoveryCodes ? outcome : this.newCodes();
        },
        'mfa.enabled',
      ),
    );
  }

  private async newCodes() {
    const { codes, ...outcome } = await this.service.mfa.newRecoveryCodes();
    this.codes = codes;
    this.focusNext();
    return outcome;
  }

  private makeCodes(): void {
    void this.change('recovery', () => this.newCodes());
  }

  private switchOn(): void {
    const preference = { methods: { [TOTP]: true }, preferred: TOTP } as const;
    void this.change('enable', () => this.service.mfa.prefer(preference), 'mfa.enabled');
  }

  private switchOff(): void {
    void this.change('disable', () => this.service.mfa.deactivate(), 'mfa.disabled');
  }

  private copy(text: string): void {
    void navigator.clipboard.writeText(text).then(() => this.form.notify({ id: 'common.copied' }));
  }
}
