import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderBadge, renderList } from '../ui/table.ts';
import { renderNewLink } from './list-pages.ts';

type Keys = Answer<'adminKeyList'>['keys'];

/** The admin keys, without their secrets. */
export class KeyListScreen extends ConsoleScreen {
  #keys: Keys = [];

  protected override get heading(): string {
    return this.t('keys.title');
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminKeyList' }];
  }

  protected override async load(): Promise<void> {
    const { keys } = await this.call({ name: 'adminKeyList' });
    // Only the audit log needs revoked keys.
    this.#keys = keys.filter(({ revoked_at }) => revoked_at === null).toReversed();
  }

  protected override renderActions(): TemplateResult {
    return renderNewLink('new-key', this.t('keys.new'));
  }

  protected override renderContent(): TemplateResult {
    type Key = Keys[number];
    const { date } = this.context.translation;
    const columns = [
      { label: this.t('keys.label'), cell: ({ label }: Key) => html`<bdi>${label}</bdi>` },
      { label: this.t('keys.id'), cell: ({ key_id }: Key) => html`<code>${key_id}</code>` },
      {
        label: this.t('keys.scopes'),
        cell: ({ scopes }: Key) =>
          html`<ul data-part="badges">
            ${scopes.map((scope) => html`<li>${renderBadge(scope)}</li>`)}
          </ul>`,
      },
      { label: this.t('keys.expires'), cell: ({ expires_at }: Key) => date(expires_at) },
      { label: this.t('keys.used'), cell: ({ last_used_at }: Key) => date(last_used_at) },
      { label: this.t('user.actions'), cell: (key: Key) => this.#renderRevocation(key) },
    ];
    return renderList(this.t('keys.title'), columns, this.#keys, this.t('keys.none'));
  }

  /** A key with more scopes than the session cannot be revoked here. */
  #renderRevocation({ key_id, label, scopes }: Keys[number]): TemplateResult | typeof nothing {
    if (!scopes.every((scope) => this.context.session.scopes.includes(scope))) return nothing;
    const revoke = (): void =>
      this.ask({
        title: this.t('keys.revoke'),
        text: this.t('keys.revokeText', { label }),
        call: { name: 'adminKeyRevoke', params: { key_id } },
        typed: key_id,
        isDanger: true,
        done: this.t('keys.revoked'),
      });
    return html`<button type="button" data-part="button" data-size="small" data-name="revoke" @click=${revoke}>
      ${this.t('keys.revoke')}
    </button>`;
  }
}
