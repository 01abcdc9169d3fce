import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, ApiCall } from '../api/admin-routes.ts';
import { ApiError } from '../api/console-client.ts';
import { ConsoleScreen } from '../ui/console-screen.ts';
import { readText, renderField } from '../ui/fields.ts';
import { renderPanel } from '../ui/panel.ts';
import { formatRoute } from '../ui/route.ts';
import { renderBadge, renderEmpty, renderList, renderTable } from '../ui/table.ts';
import { listUserActions } from './user-actions.ts';
import { readChangedAttributes, renderAttributeFields } from './user-attributes.ts';
import { renderEnabled, renderStatus } from './user-status.ts';

type User = Answer<'adminUserGet'>['user'];
type Devices = Answer<'adminUserDevices'>['devices'];

/** One user: profile, groups, factors, devices, and what an administrator can do. */
export class UserScreen extends ConsoleScreen {
  #user: User | undefined;
  /** Undefined if the pool has no devices. */
  #devices: Devices | undefined;
  #isEdited = false;

  protected override get heading(): string {
    return this.#user?.email ?? this.route.id;
  }

  get #params(): { readonly username: string } {
    return { username: this.route.id };
  }

  protected override get calls(): readonly ApiCall[] {
    return [
      { name: 'adminUserGet', params: this.#params },
      { name: 'adminUserDevices', params: this.#params, query: { limit: '60' } },
    ];
  }

  protected override async load(): Promise<void> {
    const params = this.#params;
    const [{ user }, devices] = await Promise.all([
      this.call({ name: 'adminUserGet', params }),
      this.call({ name: 'adminUserDevices', params, query: { limit: '60' } }).catch(ignoreMissingFeature),
    ]);
    this.#user = user;
    this.#devices = devices?.devices;
  }

  protected override renderContent(): TemplateResult {
    const user = this.#user;
    if (user === undefined) return html``;
    return html`${this.#renderProfile(user)} ${this.#renderGroups(user)} ${this.#renderFactors(user)}
    ${this.#devices === undefined ? nothing : this.#renderDevices(this.#devices)} ${this.#renderUserActions(user)}`;
  }

  #renderProfile(user: User): TemplateResult {
    const { translation } = this.context;
    const facts = [
      [this.t('users.status'), renderStatus(translation, user.status)],
      [this.t('users.enabled'), renderEnabled(translation, user.enabled)],
      [this.t('user.username'), html`<bdi>${user.username}</bdi>`],
      [this.t('user.sub'), html`<bdi>${user.sub}</bdi>`],
      [this.t('users.created'), translation.date(user.created_at)],
    ] as const;
    return renderPanel(
      'profile',
      this.t('user.profile'),
      html`<dl data-part="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${this.#isEdited ? this.#renderEditor(user) : this.#renderAttributes(user)}`,
    );
  }

  #renderAttributes(user: User): TemplateResult {
    const rows = Object.entries(user.attributes);
    return html`${renderTable(
      this.t('user.profile'),
      [
        { label: this.t('user.attribute'), cell: ([name]: [string, string]) => html`<bdi>${name}</bdi>` },
        { label: this.t('user.value'), cell: ([, value]: [string, string]) => html`<bdi>${value}</bdi>` },
      ],
      rows,
    )}
    ${
      this.may('adminUserUpdate')
        ? html`<div data-part="actions">
            <button type="button" data-part="button" data-name="edit" @click=${() => this.#edit(true)}>${this.t('action.edit')}</button>
          </div>`
        : nothing
    }`;
  }

  #edit(isEdited: boolean): void {
    this.#isEdited = isEdited;
    this.requestUpdate();
  }

  #renderEditor(user: User): TemplateResult {
    const save = this.submit(async (form) => {
      const attributes = readChangedAttributes(form, user.attributes);
      await this.call({ name: 'adminUserUpdate', params: this.#params, body: { attributes } });
      this.#isEdited = false;
      await this.reload();
      this.notice = this.t('user.saved');
    });
    return html`<form data-part="form" @submit=${save}>
      ${renderAttributeFields(this.context.translation, user.attributes)}
      <div data-part="actions">
        <button data-part="button" data-look="primary" data-name="save" ?disabled=${this.isBusy}>${this.t('action.save')}</button>
        <button type="button" data-part="button" @click=${() => this.#edit(false)}>${this.t('action.cancel')}</button>
      </div>
    </form>`;
  }

  #renderGroups({ groups = [] }: User): TemplateResult {
    const params = this.#params;
    const mayChange = this.may('adminUserGroupAdd');
    const add = this.submit(async (form) => {
      const group = readText(form, 'group') ?? '';
      await this.call({ name: 'adminUserGroupAdd', params, body: { group_name: group } });
      await this.reload();
      this.notice = this.t('user.groupAdded', { group });
    });
    const remove = (group: string) => () =>
      this.ask({
        title: this.t('user.removeGroup', { group }),
        text: this.t('user.removeGroupText'),
        call: { name: 'adminUserGroupRemove', params: { ...params, group_name: group } },
        done: this.t('user.groupRemoved', { group }),
      });
    return renderPanel(
      'groups',
      this.t('user.groups'),
      html`${
        groups.length === 0
          ? renderEmpty(this.t('user.noGroups'))
          : html`<ul data-part="rows">
              ${groups.map(
                (group) =>
                  html`<li>
                    <a href=${formatRoute('group', group)}><bdi>${group}</bdi></a>
                    ${
                      mayChange
                        ? html`<button type="button" data-part="button" data-size="small" aria-label=${this.t('user.removeGroup', { group })} @click=${remove(group)}>
                            ${this.t('action.remove')}
                          </button>`
                        : nothing
                    }
                  </li>`,
              )}
            </ul>`
      }
      ${
        mayChange
          ? html`<form data-part="filters" @submit=${add}>
              ${renderField({ name: 'group', label: this.t('user.addGroup'), isRequired: true, maxLength: 128 })}
              <button data-part="button" data-name="add-group" ?disabled=${this.isBusy}>${this.t('action.add')}</button>
            </form>`
          : nothing
      }`,
    );
  }

  #renderFactors({ mfa, is_webauthn_enabled }: User): TemplateResult {
    return renderPanel(
      'factors',
      this.t('user.factors'),
      html`<p>${mfa.enabled ? this.t('user.mfaOn', { methods: mfa.methods.join(', ') }) : this.t('user.mfaOff')}</p>
      <p>${this.t(is_webauthn_enabled ? 'user.passkeys' : 'user.noPasskeys')}</p>`,
    );
  }

  #renderDevices(devices: Devices): TemplateResult {
    const { translation } = this.context;
    const forget = (device_key: string, name: string) => () =>
      this.ask({
        title: this.t('user.forget'),
        text: this.t('user.forgetText', { name }),
        call: { name: 'adminUserDeviceForget', params: { ...this.#params, device_key } },
        done: this.t('user.forgotten'),
      });
    const columns = [
      {
        label: this.t('user.device'),
        cell: ({ device_name, device_key }: Devices[number]) => html`<bdi>${device_name ?? device_key}</bdi>`,
      },
      {
        label: this.t('user.trusted'),
        cell: ({ remembered }: Devices[number]) =>
          remembered === null ? '' : renderBadge(this.t(remembered ? 'user.yes' : 'user.no')),
      },
      {
        label: this.t('user.lastUsed'),
        cell: ({ last_authenticated_at }: Devices[number]) => translation.date(last_authenticated_at),
      },
      {
        label: this.t('user.actions'),
        cell: ({ device_key, device_name }: Devices[number]) =>
          this.may('adminUserDeviceForget')
            ? html`<button type="button" data-part="button" data-size="small" data-name="forget" @click=${forget(device_key, device_name ?? device_key)}>
                ${this.t('action.remove')}
              </button>`
            : nothing,
      },
    ];
    return renderPanel(
      'devices',
      this.t('user.devices'),
      renderList(this.t('user.devices'), columns, devices, this.t('user.noDevices')),
    );
  }

  #renderUserActions(user: User): TemplateResult {
    const actions = listUserActions(this.context, user).filter(({ call }) => this.may(call.name));
    return renderPanel(
      'actions',
      this.t('user.actions'),
      html`<div data-part="actions">
        ${actions.map(
          ({ id, ...question }) => html`<button
            type="button"
            data-part="button"
            data-name=${id}
            data-look=${question.isDanger ? 'danger' : nothing}
            @click=${() => this.ask(question)}
          >
            ${question.title}
          </button>`,
        )}
      </div>
      ${
        this.may('adminAudit')
          ? html`<p><a href=${formatRoute('audit', '', { user: user.username })}>${this.t('user.events')}</a></p>`
          : nothing
      }`,
    );
  }
}

/** A pool without trusted devices, and Amazon Cognito without the feature, refuse to list them. */
function ignoreMissingFeature(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'feature_disabled') return undefined;
  throw error;
}
