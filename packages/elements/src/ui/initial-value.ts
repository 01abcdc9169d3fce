import { noChange } from 'lit';
import { Directive, type DirectiveParameters, directive, type PropertyPart } from 'lit/directive.js';

/** The initial value of a field. What the user typed before the form was rendered or hydrated stays. */
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

/** Sets the value of a field when it changes, and keeps what a person typed before the script ran. */
export const initialValue = directive(InitialValueDirective);
