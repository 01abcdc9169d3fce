import { html, nothing, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { formatWayBack } from '../ui/context.ts';
import { readText, renderChecks, renderField } from '../ui/fields.ts';
import { formatRoute } from '../ui/route.ts';
import { renderShownOnce } from './shown-once.ts';

const EXAMPLE = { email: 'ada@example.com' };

/** Creates a user, with an invitation or with a temporary password that is shown once. */
export class NewUserScreen extends ConsoleScreen {
  protected override get heading(): string {
    return this.t('newUser.title');
  }

  protected override get calls(): readonly ApiCall[] {
    return [
      { name: 'userInvite', body: EXAMPLE },
      { name: 'adminUserCreate', body: EXAMPLE },
    ];
  }

  protected override async load(): Promise<void> {}

  protected override renderContent(): TemplateResult {
    return html`<form data-part="panel" data-kind="form" @submit=${this.submit((form) => this.#create(form))}>
      ${renderField({ name: 'email', label: this.t('newUser.email'), type: 'email', isRequired: true, maxLength: 254 })}
      ${renderField({ name: 'name', label: this.t('newUser.name'), maxLength: 256 })}
      ${renderChecks(
        'how',
        this.t('newUser.how'),
        [
          { value: 'userInvite', label: this.t('newUser.invite') },
          { value: 'adminUserCreate', label: this.t('newUser.show') },
        ],
        ['userInvite'],
        'radio',
      )}
      <div data-part="actions">
        <button data-part="button" data-look="primary" data-name="create" ?disabled=${this.isBusy}>
          ${this.t('action.create')}
        </button>
        <a data-part="button" href=${formatWayBack(this.context, 'users')}>${this.t('action.cancel')}</a>
      </div>
    </form>`;
  }

  async #create(form: FormData): Promise<void> {
    const email = readText(form, 'email') ?? '';
    const name = readText(form, 'name');
    const body = { email, ...(name !== undefined && { attributes: { name } }) };
    const { user, temp_password } = await this.call(
      form.get('how') === 'adminUserCreate' ? { name: 'adminUserCreate', body } : { name: 'userInvite', body },
    );
    const result =
      temp_password === undefined
        ? html`<p>${this.t('newUser.invited', { email })}</p>`
        : renderShownOnce(this.context.translation, this.t('newUser.password', { email }), temp_password);
    this.notice = html`${result}
    ${this.may('adminUserGet') ? html`<a href=${formatRoute('user', user.username)}>${this.t('newUser.open')}</a>` : nothing}`;
  }
}
