import type { Factors, User } from '@poolgate/client';
import { html, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { type IconName, renderIcon } from '../ui/icons.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { ifOffered } from './if-offered.ts';

/** What the summary is made from. What the service does not offer is undefined. */
interface SecurityFacts {
  readonly user: User;
  readonly factors: Factors | undefined;
  readonly passkeys: number | undefined;
}

/** A line of the summary: a state, and the section that changes it. */
interface SecurityLine {
  readonly icon: IconName;
  readonly isGood: boolean;
  readonly text: string;
  readonly part: string;
  readonly action: MessageId;
}

const FEW_CODES = 3;

/** Whether the account is well protected, and what the user can do about it. */
export class PoolgateSecuritySummary extends PoolgateSection<SecurityFacts> {
  protected readonly heading = { title: 'security.title', subtitle: 'security.subtitle' } as const;
  private readonly onAccountChange = (): void => void this.refresh();
  private around: Element | undefined;

  protected override connected(): void {
    super.connected();
    this.around = this.closest('poolgate-account') ?? undefined;
    this.around?.addEventListener('poolgate-account-changed', this.onAccountChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.around?.removeEventListener('poolgate-account-changed', this.onAccountChange);
  }

  protected async load(): Promise<SecurityFacts> {
    const { profile, mfa, passkeys } = this.service;
    const [user, factors, known] = await Promise.all([
      profile.show(),
      ifOffered(mfa.factors()),
      ifOffered(passkeys.list()),
    ]);
    return { user, factors, passkeys: known?.length };
  }

  protected show(facts: SecurityFacts): SectionContent {
    const lines = this.describe(facts);
    return {
      title: 'security.title',
      subtitle: lines.every(({ isGood }) => isGood) ? 'security.good' : 'security.improve',
      body: html`<ul data-part="list">${lines.map((line) => this.line(line))}</ul>`,
    };
  }

  private describe({ user, factors, passkeys }: SecurityFacts): readonly SecurityLine[] {
    const { text } = this.context.translation;
    const lines: SecurityLine[] = [];
    if (factors !== undefined) {
      const isOn = factors.mfa.enabled;
      lines.push({
        icon: 'shield',
        isGood: isOn || (passkeys ?? 0) > 0,
        text: text(isOn ? 'security.secondStepOn' : 'security.secondStepOff'),
        part: 'authenticator',
        action: isOn ? 'security.manage' : 'security.setUp',
      });
    }
    if (passkeys !== undefined)
      lines.push({
        icon: 'fingerprint',
        isGood: passkeys > 0 || factors?.mfa.enabled === true,
        text: text('security.passkeys', { count: passkeys }),
        part: 'passkeys',
        action: passkeys > 0 ? 'security.manage' : 'security.setUp',
      });
    const codes = factors?.mfa.methods.includes('SOFTWARE_TOKEN_MFA') ? factors.recoveryCodesLeft : null;
    if (codes !== null)
      lines.push({
        icon: 'key',
        isGood: codes >= FEW_CODES,
        text: text('mfa.recoveryLeft', { count: codes }),
        part: 'authenticator',
        action: 'security.manage',
      });
    lines.push({
      icon: 'mail',
      isGood: user.email_verified,
      text: text(user.email_verified ? 'security.emailProven' : 'security.emailUnproven'),
      part: 'profile',
      action: user.email_verified ? 'security.manage' : 'security.review',
    });
    return lines;
  }

  private line({ icon, isGood, text, part, action }: SecurityLine): TemplateResult {
    const { context } = this;
    const id = context.id(`line-${icon}`);
    return html`<li data-part="item">
      <div data-part="mark" data-look=${isGood ? 'success' : 'danger'}>${renderIcon(isGood ? icon : 'alert')}</div>
      <p data-part="item-text" id=${id}>${text}</p>
      <a data-part="link" href="#${part}" aria-describedby=${id}>${context.translation.text(action)}</a>
    </li>`;
  }
}
