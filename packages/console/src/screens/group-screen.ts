import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderDeleteButton, renderPanel } from '../ui/panel.ts';
import { renderEmpty } from '../ui/table.ts';
import { readGroupFields, renderGroupFields } from './group-form.ts';
import { renderPageLinks } from './list-pages.ts';
import { renderUserTable } from './user-table.ts';

/** One group: its settings and its members. */
export class GroupScreen extends ConsoleScreen {
  #group: Answer<'adminGroupGet'>['group'] | undefined;
  #members: Answer<'adminGroupMembers'> | undefined;

  protected override get heading(): string {
    return this.route.id;
  }

  get #params(): { readonly group_name: string } {
    return { group_name: this.route.id };
  }

  get #membersCall(): ApiCall<'adminGroupMembers'> {
    return { name: 'adminGroupMembers', params: this.#params, query: Object.fromEntries(this.route.query) };
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminGroupGet', params: this.#params }, this.#membersCall];
  }

  protected override async load(): Promise<void> {
    const [{ group }, members] = await Promise.all([
      this.call({ name: 'adminGroupGet', params: this.#params }),
      this.call(this.#membersCall),
    ]);
    this.#group = group;
    this.#members = members;
  }

  protected override renderContent(): TemplateResult {
    return html`${this.#renderSettings()} ${this.#renderMembers()}
    ${this.may('adminGroupDelete') ? this.#renderDeletion() : nothing}`;
  }

  #renderSettings(): TemplateResult {
    const save = this.submit(async (form) => {
      await this.call({ name: 'adminGroupUpdate', params: this.#params, body: readGroupFields(form) });
      await this.reload();
      this.notice = this.t('groups.saved');
    });
    const mayChange = this.may('adminGroupUpdate');
    return html`<form data-part="panel" data-kind="form" @submit=${save}>
      <fieldset ?disabled=${!mayChange} data-part="form">
        ${renderGroupFields(this.context.translation, this.#group)}
        ${
          mayChange
            ? html`<div data-part="actions">
                <button data-part="button" data-look="primary" data-name="save" ?disabled=${this.isBusy}>${this.t('action.save')}</button>
              </div>`
            : nothing
        }
      </fieldset>
    </form>`;
  }

  #renderMembers(): TemplateResult {
    const { users = [], next_cursor = null } = this.#members ?? {};
    const { translation } = this.context;
    return renderPanel(
      'members',
      this.t('groups.members'),
      html`${users.length === 0 ? renderEmpty(this.t('groups.noMembers')) : renderUserTable(translation, this.t('groups.members'), users)}
      ${renderPageLinks(translation, this.route, next_cursor)}`,
    );
  }

  #renderDeletion(): TemplateResult {
    const remove = (): void =>
      this.ask({
        title: this.t('groups.delete'),
        text: this.t('groups.deleteText'),
        call: { name: 'adminGroupDelete', params: this.#params },
        typed: this.route.id,
        isDanger: true,
        done: this.t('groups.deleted'),
        leaveTo: 'groups',
      });
    return renderDeleteButton(this.t('groups.delete'), remove);
  }
}
