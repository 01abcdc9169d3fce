import type { Drive } from './drive.ts';
import { get } from './request.ts';

const PAGE = 20;

interface Page {
  readonly users: readonly unknown[];
  readonly next_cursor: string | null;
}

/** Lists users with an admin key: the first page, the next one, and a search for the beginning of an address. */
export const driveUserList: Drive = ({ url, adminBearer = '' }) => {
  const headers = { Authorization: `Bearer ${adminBearer}` };
  const page = async (query: string): Promise<Page> => {
    const answer = (await get(`${url}/admin/users?limit=${PAGE}${query}`, headers)) as Page;
    if (answer.users.length === 0) throw new Error(`no users for ${query}`);
    return answer;
  };
  return async ({ username }) => {
    const { next_cursor } = await page('');
    await page(`&cursor=${next_cursor}`);
    await page(`&search=${encodeURIComponent(username)}`);
  };
};
