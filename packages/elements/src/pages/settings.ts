import { type PageFacts, type PageSettings, SETTINGS_NAME } from './names.ts';

const { content } = document.querySelector<HTMLMetaElement>(`meta[name=${SETTINGS_NAME}]`) ?? { content: '{}' };

/** What the service tells this page. */
export const settings = JSON.parse(content) as PageSettings & PageFacts;
