import { html, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatWayBack } from '../ui/context.ts';
import { readChecks, readNumber, readText, renderChecks, renderField } from '../ui/fields.ts';
import { formatRoute } from '../ui/route.ts';
import { renderShownOnce } from './shown-once.ts';

const DEFAULT_DAYS = '90';

/** Creates an admin key with some scopes of the session, and shows it once. */
export class NewKeyScreen extends ConsoleScreen {
  protected override get heading(): string {
    return this.t('keys.new');
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminKeyCreate', body: { label: 'support', scopes: ['users:read'], days: 90 } }];
  }

  protected override async load(): Promise<void> {}

  protected override renderContent(): TemplateResult {
    const create = this.submit(async (form) => {
      const body = {
        label: readText(form, 'label') ?? '',
        scopes: readChecks(form, 'scopes'),
        days: readNumber(form, 'days'),
      };
      const { admin_key, key } = await this.call({ name: 'adminKeyCreate', body });
      this.notice = html`${renderShownOnce(this.context.translation, key.label, admin_key)}
        <a href=${formatRoute('keys')}>${this.t('keys.title')}</a>`;
    });
    const choices = this.context.session.scopes.map((value) => ({ value, label: value }));
    return html`<form data-part="panel" data-kind="form" ?hidden=${this.notice !== undefined} @submit=${create}>
      ${renderField({ name: 'label', label: this.t('keys.label'), isRequired: true, maxLength: 128 })}
      ${renderChecks('scopes', this.t('keys.scopes'), choices, [])}
      ${renderField({ name: 'days', label: this.t('keys.days'), type: 'number', value: DEFAULT_DAYS, isRequired: true })}
      <div data-part="actions">
        <button data-part="button" data-look="primary" data-name="create" ?disabled=${this.isBusy}>
          ${this.t('action.create')}
        </button>
        <a data-part="button" href=${formatWayBack(this.context, 'keys')}>${this.t('action.cancel')}</a>
      </div>
    </form>`;
  }
}
