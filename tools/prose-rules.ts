/** One rule of `npm run prose`: what it finds, and what to write instead. */
interface ProseRule {
  readonly pattern: RegExp;
  readonly advice: string;
}

/** Words and constructions that are hard to read, and the spelling of this project. */
export const PROSE_RULES: readonly ProseRule[] = [
  { pattern: /\bwhom?(?:so)?ever\b/i, advice: 'name the person: "the caller", "anyone who"' },
  { pattern: /\bsomebody\b/i, advice: '"someone", or name the person' },
  { pattern: /\bnobody\b/i, advice: '"no one", or name the person' },
  { pattern: /\b(?:thereby|hereby|anew)\b/i, advice: 'leave it out' },
  { pattern: /\bbeside\b/i, advice: '"next to" or "in addition to"' },
  { pattern: /\bin (?:the )?place of\b/i, advice: '"instead of"' },
  { pattern: /\bof (?:its|their|his|her|your|our) own\b/i, advice: '"its own", "separate" or "dedicated"' },
  { pattern: /\bas long as\b/i, advice: '"while" or "if"' },
  { pattern: /\b(?:is|are|was|were|be|been) (?:asked|told|said|looked at)\b/i, advice: 'name who does it' },
  {
    pattern: /\b(?:it|there) stands?\b|\bstands? (?:in|at|for|there)\b/i,
    advice: '"is in", "is listed in" or "means"',
  },
  { pattern: /\bwhat it is not\b|\bthe word of\b|\bof a sort\b/i, advice: 'say it plainly' },
  { pattern: /\bany ?more\b(?! than)/i, advice: '"no longer"' },
  { pattern: /\be-mail/i, advice: '"email"' },
  { pattern: /\buser names?\b/i, advice: '"username"' },
  { pattern: /\btelephone number/i, advice: '"phone number"' },
  { pattern: /\b\w*(?:behaviour|colour|favour|honour|labour|neighbour)\w*/i, advice: 'American spelling' },
  {
    pattern:
      /\b(?:un|re)?(?:author|recogn|organ|initial|serial|normal|optim|custom|minim|maxim|synchron|summar|final|standard)is(?:e[drs]?|ing|ations?)\b/i,
    advice: 'American spelling: "-ize"',
  },
  {
    pattern:
      /\b(?:analys(?:e[ds]?|ing)|artefacts?|cancell(?:ed|ing)|catalogues?|centres?|defences?|fulfils?|labell(?:ed|ing)|learnt|licences?|modell(?:ed|ing)|programmes?|spelt|towards|travell(?:ed|ing)|whilst)\b/i,
    advice: 'American spelling',
  },
];

/** The maximum number of words: longer sentences must be read twice. */
export const MOST_WORDS = 30;
