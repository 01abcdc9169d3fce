import type { Device, UserSession } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { SectionContent } from './account-section.ts';
import { type DeviceLine, type DevicesAndSessions, joinDevices } from './device-list.ts';
import { ifOffered } from './if-offered.ts';
import { renderBadge, renderListItem, renderQuestion, renderSmallButton } from './list-items.ts';
import { PoolgateListSection } from './list-section.ts';
import { describeSession, nameSession } from './session-texts.ts';

const PAGE = 60;

/** Where the user is signed in, and the devices that the service remembers, in one list: sign out, rename, trust, forget. */
export class PoolgateDevices extends PoolgateListSection<DevicesAndSessions> {
  protected readonly heading = { title: 'devices.title', subtitle: 'devices.subtitle' } as const;

  protected async load(): Promise<DevicesAndSessions> {
    const { devices, sessions } = this.service;
    const [known, current, active] = await Promise.all([
      devices.list({ limit: PAGE }),
      devices.current(),
      ifOffered(sessions.list({ limit: PAGE })),
    ]);
    return { devices: known.items, current, sessions: active?.items ?? [] };
  }

  protected show(data: DevicesAndSessions): SectionContent {
    const { context } = this;
    const lines = joinDevices(data);
    const ask = renderSmallButton(context, {
      label: 'sessions.endAll',
      name: 'end-all',
      look: 'danger',
      onClick: () => this.openForm('all'),
    });
    return {
      ...this.heading,
      body: html`${
        lines.length === 0
          ? this.text('devices.none')
          : html`<ul data-part="list">${lines.map((line) => this.line(line))}</ul>`
      }
      ${this.open === 'all' ? this.endAll() : html`<div data-part="actions">${ask}</div>`}`,
    };
  }

  private line(line: DeviceLine): TemplateResult {
    const { context } = this;
    const { id, device, sessions, isCurrent } = line;
    const [latest] = sessions;
    const browser = latest && nameSession(latest);
    const name = device?.device_name ?? browser ?? context.translation.text('sessions.unnamed');
    return renderListItem({
      id: context.id(`name-${id}`),
      name,
      badges: html`${isCurrent ? renderBadge(context, 'devices.this', 'accent') : nothing}${device && this.trust(device)}`,
      detail: [browser === name ? '' : browser, latest ? describeSession(context, latest) : this.describeDevice(device)]
        .filter((part) => part !== undefined && part !== '')
        .join(' · '),
      actions: this.isChanging(id) ? nothing : html`${this.signOutButton(line)}${device && this.deviceButtons(device)}`,
      form: device === undefined ? nothing : this.itemForm(device.device_key, name),
    });
  }

  private describeDevice(device: Device | undefined): string {
    const { translation } = this.context;
    const lastUsed = device?.last_authenticated_at;
    const seen = lastUsed ? translation.text('devices.lastSeen', { date: translation.date(lastUsed) }) : '';
    return [seen, device?.last_ip ?? ''].filter((part) => part !== '').join(' · ');
  }

  /** Some providers do not reveal this. */
  private trust({ remembered }: Device): TemplateResult | typeof nothing {
    if (remembered === null) return nothing;
    return remembered
      ? renderBadge(this.context, 'devices.trusted', 'success')
      : renderBadge(this.context, 'devices.notTrusted');
  }

  private signOutButton({ id, sessions, isCurrent }: DeviceLine): TemplateResult | typeof nothing {
    if (isCurrent || sessions.length === 0) return nothing;
    return renderSmallButton(this.context, {
      label: 'sessions.end',
      name: 'end',
      describedBy: this.context.id(`name-${id}`),
      onClick: () => void this.change('end', () => this.signOut(sessions), 'sessions.ended'),
    });
  }

  private async signOut(sessions: readonly UserSession[]): Promise<void> {
    for (const { id } of sessions) await this.service.sessions.end(id);
  }

  private deviceButtons({ device_key: key, remembered }: Device): TemplateResult {
    const { context } = this;
    const describedBy = context.id(`name-${key}`);
    const isTrusted = remembered === true;
    return html`${renderSmallButton(context, {
      label: isTrusted ? 'devices.distrust' : 'devices.trust',
      name: 'trust',
      describedBy,
      onClick: () =>
        void this.change('trust', () => this.service.devices.setRemembered(key, !isTrusted), 'common.saved'),
    })}
    ${renderSmallButton(context, { label: 'devices.rename', name: 'rename', describedBy, onClick: () => this.openForm(`rename ${key}`) })}
    ${renderSmallButton(context, {
      label: 'devices.forget',
      name: 'forget',
      look: 'danger',
      describedBy,
      onClick: () => this.openForm(`remove ${key}`),
    })}`;
  }

  private itemForm(key: string, name: string): TemplateResult | typeof nothing {
    const { devices } = this.service;
    return this.lineForm({
      id: key,
      name,
      rename: { label: 'devices.name', act: (to) => devices.rename(key, to) },
      remove: {
        question: 'devices.forgetQuestion',
        label: 'devices.forget',
        done: 'devices.forgotten',
        act: () => devices.forget(key),
      },
    });
  }

  private endAll(): TemplateResult {
    return renderQuestion(this.context, {
      text: this.context.translation.text('sessions.endAllQuestion'),
      label: 'sessions.endAll',
      cancel: () => this.openForm(''),
      submit: (event) =>
        void this.form.submit(event, {}, async () => {
          await this.service.sessions.endAll();
          this.emit('poolgate-signed-out', { isEnded: false });
        }),
    });
  }
}
