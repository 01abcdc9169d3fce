/** The last action on a server-rendered form whose element is not ready yet. */
type Press = () => void;

/** Stores a press in a form until its element is ready, and marks the button with `data-held`. */
export class DeferredPress {
  private readonly form: HTMLElement;
  private press: Press | undefined;
  private held: Element | null = null;

  constructor(form: HTMLElement) {
    this.form = form;
    form.addEventListener('submit', this.onPress, { capture: true });
    form.addEventListener('click', this.onPress, { capture: true });
    form.dataset.drawn = 'listening';
  }

  /** Repeats the last action once the element is ready. */
  release(): void {
    this.form.removeEventListener('submit', this.onPress, { capture: true });
    this.form.removeEventListener('click', this.onPress, { capture: true });
    this.show(null);
    this.press?.();
  }

  private readonly onPress = (event: Event): void => {
    const { target } = event;
    if (event instanceof SubmitEvent) {
      const { submitter } = event;
      this.defer(event, submitter, () => this.findCurrent(submitter)?.click());
      return;
    }
    const button = (target as Element).closest<HTMLElement>('button[type=button]');
    if (button !== null) this.defer(event, button, () => this.findCurrent(button)?.click());
  };

  /** Finds the pressed button. If the element has rendered another form, it finds the button of the same name there. */
  private findCurrent(button: HTMLElement | null): HTMLElement | null {
    if (button === null || this.form.contains(button)) return button;
    return this.form.querySelector<HTMLElement>(`button[data-name="${button.dataset.name}"]`);
  }

  private defer(event: Event, button: Element | null, press: Press): void {
    event.preventDefault();
    event.stopPropagation();
    this.press = press;
    this.show(button);
  }

  private show(button: Element | null): void {
    this.held?.removeAttribute('data-held');
    button?.setAttribute('data-held', '');
    this.held = button;
  }
}
