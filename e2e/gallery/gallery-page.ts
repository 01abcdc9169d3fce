import { FIRST_STATES } from './first-states.ts';
import { type Chapter, SCENES, type Scene, VIEWS } from './scenes.ts';

const CHAPTERS: Readonly<Record<Exclude<Chapter, 'pages'>, string>> = {
  'sign-in': 'Sign-in',
  'sign-up': 'Sign-up',
  recovery: 'Forgotten password',
  'mail-links': 'Links in emails',
  account: 'Account',
};

const picture = (name: string, title: string): string => `![${title}](../screenshots/${name}.webp)`;

/** docs/reference/pages-gallery.md. */
export function galleryPage(): string {
  const scenes: readonly [string, Scene][] = [...Object.entries(SCENES), ...Object.entries(FIRST_STATES)];
  const chapters = Object.entries(CHAPTERS).map(([chapter, title]) => {
    const states = scenes.filter(([, scene]) => scene.chapter === chapter);
    return `## ${title}\n\n${states.map(([name, scene]) => section(name, scene)).join('\n')}`;
  });
  const views = Object.entries(VIEWS).map(([name, title]) => `### ${title}\n\n${picture(name, title)}\n`);
  return `# Gallery

Every component in every state: light, dark, and on a phone. The pages follow, 1280, 768 and 360 pixels wide, and from right to left. [Change the look of the pages](../how-to/theming.md) shows how to adapt them.

\`npm run gallery\` takes the pictures in Chromium from running services and generates this page.

${chapters.join('\n')}
## Whole pages

${views.join('\n')}`;
}

function section(name: string, { title, element, step }: Scene): string {
  const about = step === undefined ? `\`<${element}>\`` : `\`<${element}>\`, step \`${step}\``;
  return `### ${title}\n\n${about}\n\n${picture(name, title)}\n`;
}
