import { html, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatWayBack } from '../ui/context.ts';
import { readText, renderField } from '../ui/fields.ts';
import { formatRoute } from '../ui/route.ts';
import { readGroupFields, renderGroupFields } from './group-form.ts';

/** Creates a group. */
export class NewGroupScreen extends ConsoleScreen {
  protected override get heading(): string {
    return this.t('groups.new');
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminGroupCreate', body: { group_name: 'editors' } }];
  }

  protected override async load(): Promise<void> {}

  protected override renderContent(): TemplateResult {
    const create = this.submit(async (form) => {
      const group_name = readText(form, 'group_name') ?? '';
      await this.call({ name: 'adminGroupCreate', body: { group_name, ...readGroupFields(form) } });
      location.hash = formatRoute('group', group_name);
    });
    return html`<form data-part="panel" data-kind="form" @submit=${create}>
      ${renderField({ name: 'group_name', label: this.t('groups.name'), isRequired: true, maxLength: 128 })}
      ${renderGroupFields(this.context.translation)}
      <div data-part="actions">
        <button data-part="button" data-look="primary" data-name="create" ?disabled=${this.isBusy}>
          ${this.t('action.create')}
        </button>
        <a data-part="button" href=${formatWayBack(this.context, 'groups')}>${this.t('action.cancel')}</a>
      </div>
    </form>`;
  }
}
