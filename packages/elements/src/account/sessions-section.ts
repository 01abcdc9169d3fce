import type { UserSession } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderBadge, renderListItem, renderQuestion, renderSmallButton } from './list-items.ts';
import { describeSession, nameSession } from './session-texts.ts';

const PAGE = 60;

/** Where the user is signed in, with a way to sign out there. */
export class PoolgateSessions extends PoolgateSection<readonly UserSession[]> {
  protected readonly heading = { title: 'sessions.title', subtitle: 'sessions.subtitle' } as const;

  protected async load(): Promise<readonly UserSession[]> {
    return (await this.service.sessions.list({ limit: PAGE })).items;
  }

  protected show(sessions: readonly UserSession[]): SectionContent {
    const { context } = this;
    const ask = renderSmallButton(context, {
      label: 'sessions.endAll',
      name: 'end-all',
      look: 'danger',
      onClick: () => this.openForm('all'),
    });
    return {
      ...this.heading,
      body: html`<ul data-part="list">${sessions.map((session) => this.line(session))}</ul>
        ${this.open === 'all' ? this.endAll() : html`<div data-part="actions">${ask}</div>`}`,
    };
  }

  private line(session: UserSession): TemplateResult {
    const { context } = this;
    const { id, current } = session;
    const nameId = context.id(`name-${id}`);
    const end = renderSmallButton(context, {
      label: 'sessions.end',
      name: 'end',
      describedBy: nameId,
      onClick: () => void this.change('end', () => this.service.sessions.end(id), 'sessions.ended'),
    });
    return renderListItem({
      id: nameId,
      name: nameSession(session) ?? context.translation.text('sessions.unnamed'),
      badges: current ? renderBadge(context, 'sessions.this', 'accent') : nothing,
      detail: describeSession(context, session),
      actions: current ? nothing : end,
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
