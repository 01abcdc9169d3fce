// biome-ignore lint/correctness/noUnresolvedImports: a CommonJS module, whose exports are its default
import sax, { type QualifiedTag, type SAXOptions } from 'sax';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

/** Reads lists with commas between their words. */
const words = (lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(',')));

/** Shapes, text, paint and clipping. Nothing that loads, runs, moves or contains another language. */
const ELEMENTS = words([
  'svg,g,defs,symbol,use,path,rect,circle,ellipse,line,polyline,polygon,text,tspan,title,desc,style,switch',
  'linearGradient,radialGradient,stop,pattern,clipPath,mask,marker,filter',
  'feBlend,feColorMatrix,feComponentTransfer,feComposite,feFlood,feFuncA,feFuncB,feFuncG,feFuncR,feGaussianBlur,feMerge,feMergeNode',
  'feMorphology,feOffset',
]);

const ATTRIBUTES = words([
  'id,class,style,version,baseProfile,viewBox,preserveAspectRatio,width,height,x,y,x1,y1,x2,y2,cx,cy,r,rx,ry,fx,fy,fr,dx,dy,d,points',
  'pathLength,rotate,textLength,lengthAdjust,transform,transform-origin,role,lang,tabindex,focusable,systemLanguage,requiredFeatures',
  'fill,fill-opacity,fill-rule,stroke,stroke-dasharray,stroke-dashoffset,stroke-linecap,stroke-linejoin,stroke-miterlimit,stroke-opacity',
  'stroke-width,opacity,color,color-interpolation,color-interpolation-filters,clip-path,clip-rule,mask,filter,display,visibility,overflow',
  'isolation,mix-blend-mode,paint-order,vector-effect,shape-rendering,text-rendering,image-rendering,color-rendering,enable-background',
  'font-family,font-size,font-size-adjust,font-stretch,font-style,font-variant,font-weight,letter-spacing,word-spacing,text-anchor',
  'text-decoration,dominant-baseline,alignment-baseline,baseline-shift,writing-mode,direction,unicode-bidi',
  'gradientUnits,gradientTransform,spreadMethod,offset,stop-color,stop-opacity,patternUnits,patternContentUnits,patternTransform',
  'clipPathUnits,maskUnits,maskContentUnits,mask-type,markerWidth,markerHeight,markerUnits,refX,refY,orient,marker-start,marker-mid',
  'marker-end,filterUnits,primitiveUnits,in,in2,result,mode,type,values,operator,k1,k2,k3,k4,radius,stdDeviation,edgeMode,flood-color',
  'flood-opacity,tableValues,slope,intercept,amplitude,exponent',
]);

/** Elements that may refer to another part of the same file. */
const REFERRING = words(['use,linearGradient,radialGradient,pattern,filter']);

/** A reference to something outside, in any spelling. A backslash could hide one. */
const OUTSIDE = /\\|(?:url|image|image-set|src|expression)\s*\((?!\s*(["']?)#[\w.:-]+\1\s*\))|javascript:/i;

const MAX_ELEMENTS = 5_000;

/** The XML declaration. Another encoding would give the same bytes another meaning in the browser. */
const DECLARATION =
  /^\s*version\s*=\s*["']1\.[01]["'](?:\s+encoding\s*=\s*["']utf-?8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*$/i;

/** Only the entities of XML itself. The type declarations do not know this option. */
const PARSER_OPTIONS: SAXOptions & { readonly strictEntities: true } = {
  xmlns: true,
  position: true,
  strictEntities: true,
};

/**
 * Checks an SVG against a list of what a logo may contain.
 * @returns why it cannot be used; undefined if it can
 */
export function findSvgProblem(text: string): string | undefined {
  const checker = new SvgChecker();
  try {
    return checker.check(text);
  } catch (error) {
    return `is not well-formed XML (${(error as Error).message.split('\n')[0]})`;
  }
}

class SvgChecker {
  private readonly parser = sax.parser(true, PARSER_OPTIONS);
  private readonly open: string[] = [];
  private elements = 0;
  /** The content of the open style element. Comments and CDATA sections divide its text into several nodes. */
  private style = '';
  private problem: string | undefined;

  check(text: string): string | undefined {
    const { parser } = this;
    parser.onerror = (error) => {
      throw error;
    };
    parser.ondoctype = () => this.report('a document type');
    parser.onprocessinginstruction = ({ name, body }) => {
      if (name !== 'xml') this.report(`the processing instruction ${name}`);
      else if (!DECLARATION.test(body)) this.report('an XML declaration other than version 1.0 with UTF-8');
    };
    parser.onopentag = (tag) => this.checkElement(tag as QualifiedTag);
    parser.onclosetag = () => this.closeElement();
    parser.ontext = (content) => this.readText(content);
    parser.oncdata = (content) => this.readText(content);
    parser.write(text).close();
    if (this.elements === 0) this.report('no element');
    return this.problem;
  }

  private report(what: string): void {
    this.problem ??= `contains ${what}, which an SVG logo must not (line ${this.parser.line + 1})`;
  }

  private checkElement({ name, local, uri, attributes }: QualifiedTag): void {
    if (this.open.at(-1) === 'style') this.report('an element in a style');
    this.elements += 1;
    this.open.push(local);
    if (uri !== SVG || !ELEMENTS.has(local)) this.report(`the element ${name}`);
    else if (this.open.length === 1 && local !== 'svg') this.report(`the element ${name} as its root`);
    else if (this.elements > MAX_ELEMENTS) this.report(`more than ${MAX_ELEMENTS} elements`);
    for (const attribute of Object.values(attributes)) {
      if (!isAllowedAttribute(local, attribute)) this.report(`the attribute ${attribute.name}`);
    }
  }

  private readText(content: string): void {
    if (this.open.at(-1) === 'style') this.style += content;
  }

  private closeElement(): void {
    if (this.open.pop() !== 'style') return;
    if (OUTSIDE.test(this.style) || this.style.includes('@')) this.report('styles that load other files');
    this.style = '';
  }
}

function isAllowedAttribute(
  element: string,
  {
    name,
    local,
    uri,
    value,
  }: { readonly name: string; readonly local: string; readonly uri: string; readonly value: string },
): boolean {
  if (uri === XMLNS || name === 'xmlns') return true;
  if (uri === XML) return local === 'space' || local === 'lang';
  if (local === 'href' && (uri === '' || uri === XLINK)) return REFERRING.has(element) && /^#[\w.:-]+$/.test(value);
  const isKnown = uri === '' && (ATTRIBUTES.has(local) || /^(?:aria|data)-[a-z-]+$/.test(local));
  return isKnown && !OUTSIDE.test(value);
}
