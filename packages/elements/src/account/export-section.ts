import { html } from 'lit';
import { downloadFile } from '../ui/download-file.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderSmallButton } from './list-items.ts';

/** Lets the user download everything that the service stores about the account. */
export class PoolgateExportData extends PoolgateSection<true> {
  protected readonly heading = { title: 'export.title', subtitle: 'export.subtitle' } as const;

  protected async load(): Promise<true> {
    return true;
  }

  protected show(): SectionContent {
    return {
      ...this.heading,
      body: html`<div data-part="actions">
        ${renderSmallButton(this.context, { label: 'export.start', name: 'export', onClick: () => this.download() })}
      </div>`,
    };
  }

  private download(): void {
    void this.change(
      'export',
      async () => {
        const exported = await this.service.profile.exportData();
        downloadFile('account.json', 'application/json', `${JSON.stringify(exported, undefined, 2)}\n`);
      },
      'export.done',
    );
  }
}
