import { ProviderError } from '../provider-error.ts';

/** The search stops after this many violations, so that the response stays small. */
export const MAX_VIOLATIONS = 20;

/** Collects the constraints that a request violates, in Cognito's words. */
export class ConstraintViolations {
  readonly #texts: string[] = [];
  readonly #path: string[] = [];
  #secretDepth = 0;

  /** Whether the maximum number of violations was found. */
  get full(): boolean {
    return this.#texts.length >= MAX_VIOLATIONS;
  }

  /** Enters a member whose value, and everything below it, may be secret. Every `enter` needs a `leave`. */
  enter(step: string, secret: boolean): void {
    this.#path.push(step);
    if (secret || this.#secretDepth > 0) this.#secretDepth += 1;
  }

  leave(): void {
    this.#path.pop();
    if (this.#secretDepth > 0) this.#secretDepth -= 1;
  }

  /** The current path in Cognito's notation: `userAttributes.1.member.name`. */
  get path(): string {
    return this.#path.join('.');
  }

  /**
   * Records that the current value violates a constraint.
   *
   * @param shown the value in Cognito's notation, or undefined to omit it; secret values are always omitted
   * @param constraint such as `Member must not be null`
   */
  add(shown: string | undefined, constraint: string): void {
    const value = shown === undefined || this.#secretDepth > 0 ? '' : ` ${shown}`;
    this.#texts.push(`Value${value} at '${this.path}' failed to satisfy constraint: ${constraint}`);
  }

  /** @throws {ProviderError} InvalidParameterException with all recorded violations, if any */
  throwIfAny(): void {
    const count = this.#texts.length;
    if (count === 0) return;
    const heading = `${count} validation error${count === 1 ? '' : 's'} detected`;
    throw new ProviderError('InvalidParameterException', `${heading}: ${this.#texts.join('; ')}`);
  }
}
