import type { ConnectedApplication } from '@poolgate/client';
import { html, nothing, type TemplateResult } from 'lit';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderListItem, renderQuestion, renderSmallButton } from './list-items.ts';

/** The applications that can act for the user, with a way to revoke their access. */
export class PoolgateApplications extends PoolgateSection<readonly ConnectedApplication[]> {
  protected readonly heading = { title: 'applications.title', subtitle: 'applications.subtitle' } as const;

  protected load(): Promise<readonly ConnectedApplication[]> {
    return this.service.applications.list();
  }

  protected show(applications: readonly ConnectedApplication[]): SectionContent {
    return {
      ...this.heading,
      body:
        applications.length === 0
          ? this.text('applications.none')
          : html`<ul data-part="list">${applications.map((application) => this.line(application))}</ul>`,
    };
  }

  private line({ client_id: clientId, name, scopes, last_used_at: lastUsed }: ConnectedApplication): TemplateResult {
    const { context } = this;
    const { translation } = context;
    const nameId = context.id(`name-${clientId}`);
    const isOpen = this.open === clientId;
    const revoke = renderSmallButton(context, {
      label: 'applications.revoke',
      name: 'revoke',
      look: 'danger',
      describedBy: nameId,
      onClick: () => this.openForm(clientId),
    });
    return renderListItem({
      id: nameId,
      name,
      detail: [translation.text('applications.lastUsed', { date: translation.date(lastUsed) }), scopes.join(', ')]
        .filter((part) => part !== '')
        .join(' · '),
      actions: isOpen ? nothing : revoke,
      form: isOpen ? this.question(clientId, name) : nothing,
    });
  }

  private question(clientId: string, name: string): TemplateResult {
    return renderQuestion(this.context, {
      text: this.context.translation.text('applications.revokeQuestion', { name }),
      label: 'applications.revoke',
      cancel: () => this.openForm(''),
      submit: (event) =>
        void this.form.submit(event, {}, () =>
          this.applyChange('submit', () => this.service.applications.end(clientId), 'applications.revoked'),
        ),
    });
  }
}
