import { type Document, LineCounter, parseDocument } from 'yaml';
import { BrandError } from './brand-error.ts';

/** Where a value is in the document. */
export type Path = readonly string[];

/** The JSON of a brand file. It knows the line of every value. */
export class BrandDocument {
  readonly value: unknown;
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  /** @throws {BrandError} the text is not JSON */
  constructor(text: string) {
    this.#text = text;
    this.value = this.#parse();
    // JSON is YAML, whose parser knows positions.
    this.#document = parseDocument(text, { lineCounter: this.#lines, strict: false, uniqueKeys: false });
  }

  #parse(): unknown {
    try {
      return JSON.parse(this.#text);
    } catch (error) {
      const { message } = error as SyntaxError;
      const position = Number(/position (\d+)/.exec(message)?.[1] ?? this.#text.length);
      const line = this.#text.slice(0, position).split('\n').length;
      throw new BrandError(line, `the file is not JSON: ${message}`, error);
    }
  }

  /** Refuses a value. If it is missing, the line is that of the object around it. */
  fail(path: Path, problem: string, cause?: unknown): never {
    const name = path.at(-1) ?? 'the file';
    throw new BrandError(this.#findLine(path), `${name}: ${problem}`, cause);
  }

  #findLine(path: Path): number {
    const node = this.#document.getIn(path, true) as { readonly range?: readonly number[] } | undefined;
    const [offset] = node?.range ?? [];
    if (offset !== undefined) return this.#lines.linePos(offset).line;
    return path.length === 0 ? 1 : this.#findLine(path.slice(0, -1));
  }

  /** Checks that a value is an object with these members only. */
  requireObject(value: unknown, path: Path, members: readonly string[] | undefined): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.fail(
        path,
        members === undefined ? 'must be an object' : `must be an object with ${members.join(', ')}`,
      );
    const unknown = members && Object.keys(value).find((member) => !members.includes(member));
    if (unknown !== undefined) this.fail([...path, unknown], `is unknown. Use ${members?.join(', ')}`);
    return value as Readonly<Record<string, unknown>>;
  }
}
