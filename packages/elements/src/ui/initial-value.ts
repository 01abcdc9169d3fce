import { noChange } from 'lit';
import { Directive, type DirectiveParameters, directive, type PropertyPart } from 'lit/directive.js';

/** The value of a field that a form begins with: what was typed before the form was drawn, or adopted, stays. */
class InitialValueDirective extends Directive {
  private last: string | undefined;

  override render(value: string): unknown {
    return value;
  }

  override update({ element }: PropertyPart, [value]: DirectiveParameters<this>): unknown {
    const { last } = this;
    this.last = value;
    const isFilled = value === '' || (element as HTMLInputElement).value !== '';
    return value === last || (last === undefined && isFilled) ? noChange : value;
  }
}

/** Sets the value of a field where it changes, and leaves alone what a person has put into it before the script was there. */
export const initialValue = directive(InitialValueDirective);
