/** Finds what people read in a source file: comments, and strings that are sentences. */
import jsTokens from 'js-tokens';

/** A piece of Markdown or plain text, and the line of its file where it starts. */
export interface ProseText {
  readonly line: number;
  readonly text: string;
}

interface OpenText {
  readonly line: number;
  text: string;
}

/** A value that is only known at run time. It reads as code, like everything between backticks. */
const VALUE = '`value`';

/** SQL, addresses, headers, options and markup also contain words. */
const NO_PROSE =
  /^\s*(?:[A-Z]{3,} |with |(?:select|insert|coalesce\()[\s\S]*\bfrom |https?:|[{<[.#])|[;{]\s*\n|(?:^|\s)--?[a-z]|[<>]=?\s*\$|=>/;

/** Four consecutive words make a sentence; fewer are a name, a key or a value. */
const SENTENCE = /(?:[\p{L}’'-]+[\s,;:]+){3}[\p{L}’'-]+/u;

/** The texts of a file of TypeScript. */
export function listSourceTexts(source: string): readonly ProseText[] {
  const texts: OpenText[] = [];
  const templates: OpenText[] = [];
  let lineComment: OpenText | undefined;
  let line = 1;
  for (const { type, value } of jsTokens(source)) {
    if (type === 'MultiLineComment') texts.push({ line, text: readComment(value) });
    if (type === 'StringLiteral' || type === 'NoSubstitutionTemplate') texts.push(readString(line, value.slice(1, -1)));
    if (type === 'TemplateHead') templates.push({ line, text: value.slice(1, -2) });
    const template = templates.at(-1);
    if (type === 'TemplateMiddle' && template !== undefined) template.text += VALUE + value.slice(1, -2);
    if (type === 'TemplateTail' && template !== undefined) {
      templates.pop();
      texts.push(readString(template.line, template.text + VALUE + value.slice(1, -1)));
    }
    if (type === 'SingleLineComment') {
      if (lineComment === undefined) {
        lineComment = { line, text: '' };
        texts.push(lineComment);
      }
      lineComment.text += `${value.slice(2).trim()}\n`;
    } else if (type !== 'WhiteSpace' && type !== 'LineTerminatorSequence') lineComment = undefined;
    line += value.split('\n').length - 1;
  }
  return texts.filter(({ text }) => SENTENCE.test(text));
}

const readString = (line: number, text: string): OpenText => ({
  line,
  text: NO_PROSE.test(text)
    ? ''
    : text
        .replaceAll('\\n', ' ')
        .replaceAll(/\\(['"`])/g, '$1')
        .replaceAll(/\{\w+\}/g, VALUE),
});

/** Returns the Markdown of a comment, with its number of lines unchanged. A tag such as `@param` starts a new text. */
const readComment = (comment: string): string =>
  comment
    .slice(2, -2)
    .split('\n')
    .map((each) =>
      each
        .replace(/^\s*\*+ ?/, '')
        .replace(/^\*/, '')
        .replace(/^\s*@\w+(?: \{[^}]*\})?(?: [\w.]+(?= ))?/, '- ')
        .replaceAll(/\{@link [^}]*\}/g, VALUE),
    )
    .join('\n');
