import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { renderDeleteButton, renderPanel } from '../ui/panel.ts';
import { renderList } from '../ui/table.ts';
import { readClientFields, renderClientFields } from './client-form.ts';
import { renderShownOnce } from './shown-once.ts';

type Client = Answer<'adminClientGet'>['client'];

/** A client has two secrets at most, so that one can replace the other. */
const MOST_SECRETS = 2;

/** One application: its settings and its secrets. */
export class ClientScreen extends ConsoleScreen {
  #client: Client | undefined;

  protected override get heading(): string {
    return this.#client?.client_name ?? this.route.id;
  }

  get #params(): { readonly client_id: string } {
    return { client_id: this.route.id };
  }

  protected override get calls(): readonly ApiCall[] {
    return [{ name: 'adminClientGet', params: this.#params }];
  }

  protected override async load(): Promise<void> {
    this.#client = (await this.call({ name: 'adminClientGet', params: this.#params })).client;
  }

  protected override renderContent(): TemplateResult {
    const client = this.#client;
    if (client === undefined) return html``;
    return html`${this.#renderSettings(client)} ${this.#renderSecrets(client)}
    ${this.may('adminClientDelete') ? this.#renderDeletion(client) : nothing}`;
  }

  #renderSettings(client: Client): TemplateResult {
    const { translation } = this.context;
    const mayChange = this.may('adminClientUpdate');
    const save = this.submit(async (form) => {
      const body = readClientFields(translation, form);
      await this.call({ name: 'adminClientUpdate', params: this.#params, body });
      await this.reload();
      this.notice = this.t('clients.saved');
    });
    return html`<form data-part="panel" data-kind="form" aria-labelledby="settings" @submit=${save}>
      <h2 id="settings">${this.t('clients.settings')}</h2>
      <p>${this.t('clients.id')}: <code dir="ltr">${client.client_id}</code></p>
      <fieldset data-part="form" ?disabled=${!mayChange}>
        ${renderClientFields(translation, client)}
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

  #renderSecrets({ secrets }: Client): TemplateResult {
    const { translation } = this.context;
    const mayChange = this.may('adminClientSecretCreate');
    type Secret = Client['secrets'][number];
    const columns = [
      { label: this.t('clients.secretId'), cell: ({ secret_id }: Secret) => html`<code>${secret_id}</code>` },
      { label: this.t('users.created'), cell: ({ created_at }: Secret) => translation.date(created_at) },
      {
        label: this.t('user.actions'),
        cell: ({ secret_id }: Secret) =>
          mayChange && secrets.length > 1
            ? html`<button type="button" data-part="button" data-size="small" data-name="delete-secret" @click=${this.#askToDeleteSecret(secret_id)}>
                ${this.t('action.delete')}
              </button>`
            : nothing,
      },
    ];
    return renderPanel(
      'secrets',
      this.t('clients.secrets'),
      html`${renderList(this.t('clients.secrets'), columns, secrets, this.t('clients.noSecrets'))}
      ${
        mayChange && secrets.length > 0 && secrets.length < MOST_SECRETS
          ? html`<div data-part="actions">
              <button type="button" data-part="button" data-name="add-secret" @click=${this.#askToAddSecret}>${this.t('clients.addSecret')}</button>
            </div>`
          : nothing
      }`,
    );
  }

  readonly #askToAddSecret = (): void => {
    this.question = {
      title: this.t('clients.addSecret'),
      text: this.t('clients.addSecretText'),
      call: { name: 'adminClientSecretCreate', params: this.#params },
      onDone: ({ client_secret = '' }: Answer<'adminClientSecretCreate'>) => {
        const shown = renderShownOnce(this.context.translation, this.t('clients.newSecret'), client_secret);
        void this.reload().then(() => this.announce(shown));
      },
    };
  };

  readonly #askToDeleteSecret = (secret_id: string) => (): void =>
    this.ask({
      title: this.t('clients.deleteSecret'),
      text: this.t('clients.deleteSecretText'),
      call: { name: 'adminClientSecretDelete', params: { ...this.#params, secret_id } },
      isDanger: true,
      done: this.t('clients.secretDeleted'),
    });

  #renderDeletion({ client_name }: Client): TemplateResult {
    const remove = (): void =>
      this.ask({
        title: this.t('clients.delete'),
        text: this.t('clients.deleteText'),
        call: { name: 'adminClientDelete', params: this.#params },
        typed: client_name,
        isDanger: true,
        done: this.t('clients.deleted'),
        leaveTo: 'applications',
      });
    return renderDeleteButton(this.t('clients.delete'), remove);
  }
}
