import type { Device } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { SectionContent } from './account-section.ts';
import { renderBadge, renderListItem, renderSmallButton } from './list-items.ts';
import { PoolgateListSection } from './list-section.ts';

interface DeviceList {
  readonly devices: readonly Device[];
  /** The key of the current device; null if it is not in the list. */
  readonly current: string | null;
}

const PAGE = 60;

/** The devices of the account, with the current one marked: rename, remember, forget. */
export class PoolgateDevices extends PoolgateListSection<DeviceList> {
  protected readonly heading = { title: 'devices.title', subtitle: 'devices.subtitle' } as const;

  protected async load(): Promise<DeviceList> {
    const { devices } = this.service;
    const [{ items }, current] = await Promise.all([devices.list({ limit: PAGE }), devices.current()]);
    return { devices: items, current };
  }

  protected show({ devices, current }: DeviceList): SectionContent {
    return {
      ...this.heading,
      body:
        devices.length === 0
          ? this.text('devices.none')
          : html`<ul data-part="list">${devices.map((device) => this.line(device, device.device_key === current))}</ul>`,
    };
  }

  private line(device: Device, isThis: boolean): TemplateResult {
    const { context } = this;
    const { device_key: key, last_authenticated_at: lastUsed, last_ip: address } = device;
    const name = device.device_name ?? context.translation.text('devices.unnamed');
    const seen =
      lastUsed === null
        ? ''
        : context.translation.text('devices.lastSeen', { date: context.translation.date(lastUsed) });
    return renderListItem({
      id: context.id(`name-${key}`),
      name,
      badges: html`${isThis ? renderBadge(context, 'devices.this', 'accent') : nothing}${this.trust(device)}`,
      detail: [seen, address ?? ''].filter((part) => part !== '').join(' · '),
      actions: this.isChanging(key) ? nothing : this.buttons(device),
      form: this.itemForm(key, name),
    });
  }

  /** Some providers do not reveal this. */
  private trust({ remembered }: Device): TemplateResult | typeof nothing {
    if (remembered === null) return nothing;
    return remembered
      ? renderBadge(this.context, 'devices.trusted', 'success')
      : renderBadge(this.context, 'devices.notTrusted');
  }

  private buttons({ device_key: key, remembered }: Device): TemplateResult {
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
}
