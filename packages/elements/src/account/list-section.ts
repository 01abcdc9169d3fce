import { nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { checkRequired } from '../ui/field-checks.ts';
import { PoolgateSection } from './account-section.ts';
import { renderQuestion, renderRenameForm } from './list-items.ts';

/** How an item of a list is renamed and removed. */
export interface ListItemActions {
  readonly id: string;
  /** The displayed name. */
  readonly name: string;
  readonly rename: { readonly label: MessageId; act(name: string): Promise<unknown> };
  readonly remove: {
    readonly question: MessageId;
    readonly label: MessageId;
    readonly done: MessageId;
    act(): Promise<unknown>;
  };
}

/** An account section with a list whose items can be renamed and removed. */
export abstract class PoolgateListSection<Data> extends PoolgateSection<Data> {
  /** Whether a form replaces the buttons of a line. */
  protected isChanging(id: string): boolean {
    return this.open.endsWith(` ${id}`);
  }

  /** The open form of a line, if any: `rename` or `remove`, and the id of the line. */
  protected lineForm(line: ListItemActions): TemplateResult | typeof nothing {
    if (this.open === `rename ${line.id}`) return this.renaming(line);
    return this.open === `remove ${line.id}` ? this.removing(line) : nothing;
  }

  private renaming({ name, rename }: ListItemActions): TemplateResult {
    const act = async (to: string): Promise<void> => {
      await rename.act(to);
    };
    return renderRenameForm(this.context, {
      label: rename.label,
      value: name,
      cancel: () => this.openForm(''),
      submit: (event) =>
        void this.form.submit(event, { name: checkRequired }, (typed) =>
          this.applyChange('submit', () => act(typed.name ?? ''), 'common.saved'),
        ),
    });
  }

  private removing({ name, remove }: ListItemActions): TemplateResult {
    return renderQuestion(this.context, {
      text: this.context.translation.text(remove.question, { name }),
      label: remove.label,
      cancel: () => this.openForm(''),
      submit: (event) =>
        void this.form.submit(event, {}, () => this.applyChange('submit', () => remove.act(), remove.done)),
    });
  }
}
