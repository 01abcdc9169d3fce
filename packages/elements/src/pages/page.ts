/** The first script of every page. A server-rendered form is usable from here on; the rest follows in separate tasks. */
import { openPage } from './open-page.ts';

void openPage(() => import('./show-page.ts'));
