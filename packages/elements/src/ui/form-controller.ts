import { PoolgateError } from '@poolgate/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type FormError, type LocalizedText, toFormError } from './form-error.ts';

/** What was typed, by the names of the fields. */
export type FormValues = Readonly<Record<string, string>>;

/** Says what is wrong with a value; undefined where it is good. */
export type FieldCheck = (value: string, all: FormValues) => LocalizedText | undefined;

/** The checks of a form, by the names of its fields, in the order of the fields. */
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

const NO_ERROR: FormError = { alert: undefined, fields: new Map(), reference: undefined };

/** What one form shows beside its fields: that it is at work, what went wrong and where, which passwords are visible. */
export class FormController implements ReactiveController {
  private readonly host: ReactiveControllerHost & HTMLElement;
  private fault: FormError = NO_ERROR;
  private visible: ReadonlySet<string> = new Set();
  private focusWanted = false;
  /** Which button is at work. */
  private worker: string | undefined;
  /** What went well, until the next try. */
  notice: LocalizedText | undefined;
  /** What only a screen reader says. */
  spoken: LocalizedText | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.host = host;
    host.addController(this);
  }

  get busy(): boolean {
    return this.worker !== undefined;
  }

  get alert(): LocalizedText | undefined {
    return this.fault.alert;
  }

  get reference(): string | undefined {
    return this.fault.reference;
  }

  isAtWork(button: string): boolean {
    return this.worker === button;
  }

  errorFor(field: string): LocalizedText | undefined {
    return this.fault.fields.get(field);
  }

  isVisible(field: string): boolean {
    return this.visible.has(field);
  }

  /** Shows a password, or hides it, and has that said. */
  toggle(field: string): void {
    const isShown = this.visible.has(field);
    this.visible = new Set(isShown ? [...this.visible].filter((each) => each !== field) : [...this.visible, field]);
    this.spoken = { id: isShown ? 'common.passwordHidden' : 'common.passwordShown' };
    this.host.requestUpdate();
  }

  /** Forgets what was said. */
  reset(): void {
    this.fault = NO_ERROR;
    this.visible = new Set();
    this.notice = undefined;
    this.spoken = undefined;
    this.host.requestUpdate();
  }

  /** Says what went well. */
  notify(notice: LocalizedText): void {
    this.fault = NO_ERROR;
    this.notice = notice;
    this.host.requestUpdate();
  }

  /** Shows a refusal, and puts the focus on the first field that it is about. */
  refuse(error: PoolgateError): void {
    this.showFault(toFormError(error, (field) => this.fields().some(({ name }) => name === field)));
  }

  /** Says what is wrong with one field. */
  reject(field: string, text: LocalizedText): void {
    this.showFault({ ...NO_ERROR, fields: new Map([[field, text]]) });
  }

  /** Handles the submit event of a form: checks, and acts where nothing is wrong. */
  submit(event: Event, checks: FieldChecks, act: (values: FormValues) => Promise<void>): Promise<void> {
    event.preventDefault();
    const values = readFormValues(event.target as HTMLFormElement);
    const fields = new Map<string, LocalizedText>();
    for (const [name, check] of Object.entries(checks)) {
      const wrong = check(values[name] ?? '', values);
      if (wrong !== undefined) fields.set(name, wrong);
    }
    if (fields.size === 0) return this.run('submit', () => act(values));
    this.showFault({ ...NO_ERROR, fields });
    return Promise.resolve();
  }

  /** Acts once at a time; what the service refuses is shown. */
  async run(button: string, act: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.reset();
    this.worker = button;
    this.spoken = { id: 'common.working' };
    try {
      await act();
    } catch (error) {
      if (!(error instanceof PoolgateError)) throw error;
      if (error.code !== 'aborted') this.refuse(error);
    } finally {
      this.worker = undefined;
      if (this.spoken?.id === 'common.working') this.spoken = undefined;
      this.host.requestUpdate();
    }
  }

  hostUpdated(): void {
    if (!this.focusWanted) return;
    this.focusWanted = false;
    const bad = this.fields().find(({ name }) => this.fault.fields.has(name));
    (bad ?? this.passwordField())?.focus();
  }

  private showFault(fault: FormError): void {
    this.fault = fault;
    this.notice = undefined;
    this.focusWanted = true;
    this.host.requestUpdate();
  }

  private fields(): readonly HTMLInputElement[] {
    return [...this.host.querySelectorAll('input')].filter(({ type, hidden }) => type !== 'hidden' && !hidden);
  }

  /** After a refused login the password is what one types again. */
  private passwordField(): HTMLInputElement | undefined {
    return this.fields().findLast(({ dataset, readOnly }) => !readOnly && /password|code/.test(dataset.kind ?? ''));
  }
}

function readFormValues(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}
