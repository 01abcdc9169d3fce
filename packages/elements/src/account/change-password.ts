import { html } from 'lit';
import { checkRequired } from '../ui/field-checks.ts';
import { renderField } from '../ui/fields.ts';
import { renderHiddenUsername } from '../ui/hidden-username.ts';
import { PoolgateSection, type SectionContent } from './account-section.ts';
import { renderFormButtons, renderSmallButton } from './list-items.ts';

/** Changes the password. The current password is proven, and only a verifier of the new one is stored. */
export class PoolgateChangePassword extends PoolgateSection<string> {
  protected readonly heading = { title: 'changePassword.title', subtitle: 'changePassword.subtitle' } as const;

  /** The password's username, for password managers. */
  protected async load(): Promise<string> {
    const { email, username } = await this.service.profile.show();
    return email ?? username;
  }

  protected show(username: string): SectionContent {
    const { context } = this;
    if (this.open === '')
      return {
        ...this.heading,
        body: html`<div data-part="actions">
          ${renderSmallButton(context, { label: 'changePassword.submit', name: 'change', onClick: () => this.openForm('change') })}
        </div>`,
      };
    return {
      ...this.heading,
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.save(event)}>
        ${renderHiddenUsername(username)}
        ${renderField(context, {
          name: 'current',
          label: 'changePassword.current',
          autocomplete: 'current-password',
          kind: 'password',
        })}
        ${renderField(context, {
          name: 'newPassword',
          label: 'common.newPassword',
          autocomplete: 'new-password',
          kind: 'password',
          ...this.passwordHint,
        })}
        ${renderFormButtons(context, { submit: 'changePassword.submit', cancel: () => this.openForm('') })}
      </form>`,
    };
  }

  private save(event: Event): void {
    const form = event.target as HTMLFormElement;
    const checks = { current: checkRequired, newPassword: this.passwordCheck };
    void this.form.submit(event, checks, ({ current = '', newPassword = '' }) =>
      this.applyChange(
        'submit',
        async () => {
          const outcome = await this.service.password.change({ current, next: newPassword });
          form.reset();
          this.typedPassword = '';
          return outcome;
        },
        'changePassword.done',
      ),
    );
  }
}
