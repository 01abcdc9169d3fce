import { html } from 'lit';
import { required } from '../ui/checks.ts';
import { button, field } from '../ui/fields.ts';
import { usernameForManagers } from '../ui/username.ts';
import { PoolgateSection, type SectionContent } from './section.ts';

/** Another password. The old one is proven, the new one kept as what it is checked against. */
export class PoolgateChangePassword extends PoolgateSection<string> {
  protected readonly heading = { title: 'changePassword.title', subtitle: 'changePassword.subtitle' } as const;

  /** Whose password it is, for password managers. */
  protected async load(): Promise<string> {
    const { email, username } = await this.service.profile.show();
    return email ?? username;
  }

  protected show(username: string): SectionContent {
    const { context } = this;
    return {
      ...this.heading,
      body: html`<form data-part="form" novalidate @submit=${(event: Event) => this.save(event)}>
        ${usernameForManagers(username)}
        ${field(context, {
          name: 'current',
          label: 'changePassword.current',
          autocomplete: 'current-password',
          kind: 'password',
        })}
        ${field(context, {
          name: 'newPassword',
          label: 'common.newPassword',
          autocomplete: 'new-password',
          kind: 'password',
          ...this.passwordHint,
        })}
        <div data-part="actions">
          ${button(context, { label: 'changePassword.submit', name: 'submit', look: 'primary', isWide: false })}
        </div>
      </form>`,
    };
  }

  private save(event: Event): void {
    const form = event.target as HTMLFormElement;
    const checks = { current: required, newPassword: this.passwordCheck };
    void this.form.submit(event, checks, ({ current = '', newPassword = '' }) =>
      this.carryOut(
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
