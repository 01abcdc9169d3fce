/** The prose linter: sentences of Markdown, found by remark and retext, against the rules of this project. */
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import retextEnglish from 'retext-english';
import { unified } from 'unified';
import { MOST_WORDS, PROSE_RULES } from './prose-rules.ts';
import { listSourceTexts, type ProseText } from './prose-texts.ts';

/** A sentence to rewrite. */
export interface ProseFinding {
  readonly line: number;
  readonly found: string;
  readonly advice: string;
}

/** A node of Markdown (mdast) or of English (nlcst). */
interface SyntaxNode {
  readonly type: string;
  readonly value?: string | undefined;
  readonly alt?: string | null | undefined;
  readonly children?: readonly SyntaxNode[] | undefined;
  readonly position?: { readonly start: { readonly line: number } } | undefined;
}

const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
const english = unified().use(retextEnglish).freeze();

/** Returns all findings in a file. */
export function findProseProblems(file: string, content: string): readonly ProseFinding[] {
  const texts = file.endsWith('.md') ? [{ line: 1, text: content }] : listSourceTexts(content);
  return texts.flatMap(listParagraphs).flatMap(listSentences).flatMap(checkSentence);
}

/** Returns the paragraphs, headings and table cells of a text, without code. */
function listParagraphs({ line, text }: ProseText): readonly ProseText[] {
  const paragraphs: ProseText[] = [];
  const visit = (node: SyntaxNode): void => {
    if (['paragraph', 'heading', 'tableCell'].includes(node.type)) {
      paragraphs.push({ line: line + (node.position?.start.line ?? 1) - 1, text: readText(node) });
    } else node.children?.forEach(visit);
  };
  visit(markdown.parse(text));
  return paragraphs;
}

function readText(node: SyntaxNode): string {
  if (node.type === 'text') return node.value ?? '';
  if (node.type === 'inlineCode') return 'Code';
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return node.alt ?? '';
  return (node.children ?? []).map(readText).join('');
}

function listSentences({ line, text }: ProseText): readonly ProseText[] {
  const sentences: ProseText[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'SentenceNode') {
      sentences.push({ line: line + (node.position?.start.line ?? 1) - 1, text: readSentence(node) });
    } else node.children?.forEach(visit);
  };
  visit(english.parse(text));
  return sentences;
}

const readSentence = (node: SyntaxNode): string => node.value ?? (node.children ?? []).map(readSentence).join('');

function checkSentence({ line, text }: ProseText): readonly ProseFinding[] {
  const sentence = text.replaceAll(/\s/g, ' ');
  const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}’'_./-]*/gu)?.length ?? 0;
  const long = {
    line,
    found: `${sentence.slice(0, 60)}…`,
    advice: `${words} words: at most ${MOST_WORDS} in a sentence`,
  };
  return [
    ...(words > MOST_WORDS ? [long] : []),
    ...PROSE_RULES.flatMap(({ pattern, advice }) => {
      const match = pattern.exec(sentence);
      if (match === null) return [];
      return [{ line: line + text.slice(0, match.index).split('\n').length - 1, found: match[0], advice }];
    }),
  ];
}
