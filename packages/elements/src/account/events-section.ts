import type { AccountEvent, PageOf } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderBadge, renderListItem, renderSmallButton } from './list-items.ts';

const PAGE = 10;

const CAUSES: Readonly<Partial<Record<AccountEvent['by'], MessageId>>> = {
  administrator: 'events.byAdministrator',
  service: 'events.byService',
};

/** What happened to the account: sign-ins and changes, newest first. */
export class PoolgateEvents extends PoolgateSection<PageOf<AccountEvent>> {
  protected readonly heading = { title: 'events.title', subtitle: 'events.subtitle' } as const;

  protected load(): Promise<PageOf<AccountEvent>> {
    return this.service.profile.events({ limit: PAGE });
  }

  protected show({ items, nextCursor }: PageOf<AccountEvent>): SectionContent {
    const { context } = this;
    const more = renderSmallButton(context, {
      label: 'events.more',
      name: 'more',
      onClick: () => void this.form.run('more', () => this.loadMore()),
    });
    return {
      ...this.heading,
      body: html`${
        items.length === 0
          ? this.text('events.none')
          : html`<ul data-part="list">${items.map((event) => this.line(event))}</ul>`
      }${nextCursor === null ? nothing : html`<div data-part="actions">${more}</div>`}`,
    };
  }

  private line({ type, outcome, timestamp, by, source_address: address }: AccountEvent): TemplateResult {
    const { context } = this;
    const { translation } = context;
    // The service may know events that this version has no text for.
    const id = `event.${type.replaceAll('.', '_')}`;
    const cause = CAUSES[by];
    return renderListItem({
      name: translation.text(translation.has(id) ? id : 'event.other'),
      badges: outcome === 'failure' ? renderBadge(context, 'events.failed') : nothing,
      detail: [translation.date(timestamp), cause === undefined ? '' : translation.text(cause), address ?? '']
        .filter((part) => part !== '')
        .join(' · '),
      actions: nothing,
    });
  }

  private async loadMore(): Promise<void> {
    const { data } = this;
    if (data?.nextCursor === undefined || data.nextCursor === null) return;
    const next = await this.service.profile.events({ limit: PAGE, cursor: data.nextCursor });
    this.data = { items: [...data.items, ...next.items], nextCursor: next.nextCursor };
  }
}
