import { type PageRequestState, type PageSettings, SETTINGS_META_NAME } from './page-table.ts';

const { content } = document.querySelector<HTMLMetaElement>(`meta[name=${SETTINGS_META_NAME}]`) ?? { content: '{}' };

/** The service's settings for this page. */
export const pageSettings = JSON.parse(content) as PageSettings & PageRequestState;
