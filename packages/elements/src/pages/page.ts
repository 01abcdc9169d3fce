/**
 * The script of every page: what must be there at once. A form that the service has drawn can be used from here on; what makes it work
 * follows in tasks of its own.
 */
import { openPage } from './open-page.ts';

void openPage(() => import('./show-page.ts'));
