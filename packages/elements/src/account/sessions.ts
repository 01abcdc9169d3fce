import type { UserSession } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { badge, item, question, smallButton } from './items.ts';
import { PoolgateSection, type SectionContent } from './section.ts';

const PAGE = 60;

/** Where the user is signed in. */
export class PoolgateSessions extends PoolgateSection<readonly UserSession[]> {
  protected readonly heading = { title: 'sessions.title', subtitle: 'sessions.subtitle' } as const;

  protected async load(): Promise<readonly UserSession[]> {
    return (await this.service.sessions.list({ limit: PAGE })).items;
  }

  protected show(sessions: readonly UserSession[]): SectionContent {
    const { scene } = this;
    const ask = smallButton(scene, {
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
    const { scene } = this;
    const { id, current, started_at: startedAt, source_address: address } = session;
    const nameId = scene.id(`name-${id}`);
    const end = smallButton(scene, {
      label: 'sessions.end',
      name: 'end',
      describedBy: nameId,
      onClick: () => void this.change('end', () => this.service.sessions.end(id), 'sessions.ended'),
    });
    return item({
      id: nameId,
      name: address ?? scene.speech.say('sessions.unnamed'),
      badges: current ? badge(scene, 'sessions.this', 'accent') : nothing,
      detail: scene.speech.say('sessions.started', { date: scene.speech.date(startedAt) }),
      actions: current ? nothing : end,
    });
  }

  private endAll(): TemplateResult {
    return question(this.scene, {
      text: this.scene.speech.say('sessions.endAllQuestion'),
      label: 'sessions.endAll',
      cancel: () => this.openForm(''),
      submit: (event) =>
        void this.form.submit(event, {}, async () => {
          await this.service.sessions.endAll();
          this.tell('poolgate-signed-out', { isEnded: false });
        }),
    });
  }
}
