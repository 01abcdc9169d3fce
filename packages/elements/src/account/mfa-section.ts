import type { Factors, NewAuthenticator, User } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { renderAuthenticatorSetup } from '../ui/authenticator-setup.ts';
import { downloadFile } from '../ui/download-file.ts';
import { checkRequired, normalizeCode } from '../ui/field-checks.ts';
import { renderButton } from '../ui/fields.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderBadge, renderFormButtons, renderSmallButton } from './list-items.ts';
import { findMessageFactors, type MessageFactor, renderMessageFactors } from './message-factors.ts';

const renderListHeading = (title: string): TemplateResult => html`<h3 data-part="label">${title}</h3>`;

const TOTP = 'SOFTWARE_TOKEN_MFA';

/** The user's second factors, and those that the service sends as messages. */
interface SecondFactors {
  readonly factors: Factors;
  readonly messages: readonly MessageFactor[];
  /** Undefined if no factor needs a contact. */
  readonly user: User | undefined;
}

/** The second factors: the authenticator app with its QR code, codes by message, and the recovery codes. */
export class PoolgateMfa extends PoolgateSection<SecondFactors> {
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

  protected async load(): Promise<SecondFactors> {
    const { mfa, profile } = this.service;
    const offered = await this.service.parameters().catch(() => undefined);
    const messages = findMessageFactors(offered?.mfa?.types ?? []);
    const [factors, user] = await Promise.all([mfa.factors(), messages.length === 0 ? undefined : profile.show()]);
    return { factors, messages, user };
  }

  protected show(shown: SecondFactors): SectionContent {
    const isOn = shown.factors.mfa.methods.length > 0;
    const { context } = this;
    return {
      ...this.heading,
      badge: renderBadge(context, isOn ? 'mfa.on' : 'mfa.off', isOn ? 'success' : undefined),
      body: this.codes === undefined ? this.controls(shown) : this.recoveryCodes(this.codes),
    };
  }

  private controls({ factors, messages, user }: SecondFactors): TemplateResult {
    const { pending } = this;
    if (pending !== undefined) return this.setUp(pending);
    if (user === undefined) return this.authenticator(factors);
    const { context } = this;
    return html`${renderListHeading(context.translation.text('mfa.app'))}${this.authenticator(factors)}
      ${renderListHeading(context.translation.text('mfa.messages'))}
      ${renderMessageFactors(context, {
        offered: messages,
        factors,
        user,
        toggle: (factor, isOn) => this.toggle(factor, isOn),
        prefer: (factor) =>
          void this.change(
            `prefer-${factor}`,
            () => this.service.mfa.prefer({ methods: { [factor]: true }, preferred: factor }),
            'common.saved',
          ),
      })}`;
  }

  private authenticator(factors: Factors): TemplateResult {
    const { context } = this;
    const isOn = factors.mfa.methods.includes(TOTP);
    // A disabled authenticator app is no longer listed, but its recovery codes still exist.
    const hasOne = isOn || (factors.recoveryCodesLeft ?? 0) > 0;
    const toggle = isOn
      ? renderSmallButton(context, {
          label: 'mfa.disable',
          name: 'disable',
          look: 'danger',
          onClick: () => this.switchOff(factors),
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
    const title = renderListHeading(context.translation.text('mfa.recoveryTitle'));
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
        ${renderButton(context, { label: 'common.download', name: 'download', isWide: false, onClick: () => downloadFile('recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`) })}
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

  private switchOff({ mfa }: Factors): void {
    if (mfa.methods.length > 1) void this.change('disable', () => this.prefer(TOTP, false), 'common.saved');
    else void this.change('disable', () => this.service.mfa.deactivate(), 'mfa.disabled');
  }

  private toggle(factor: MessageFactor, isOn: boolean): void {
    void this.change(`${isOn ? 'enable' : 'disable'}-${factor}`, () => this.prefer(factor, isOn), 'common.saved');
  }

  private prefer(factor: MessageFactor | typeof TOTP, isOn: boolean) {
    return this.service.mfa.prefer({ methods: { [factor]: isOn } });
  }

  private copy(text: string): void {
    void navigator.clipboard.writeText(text).then(() => this.form.notify({ id: 'common.copied' }));
  }
}
