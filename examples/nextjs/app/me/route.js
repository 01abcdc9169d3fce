import { signedInUser } from '../session.js';

/** GET /me, for scripts of the page: who is signed in, or 401. */
export async function GET() {
  const user = await signedInUser();
  const headers = { 'cache-control': 'no-store' };
  if (user === null) return Response.json({ error: 'unauthenticated' }, { status: 401, headers });
  return Response.json({ sub: user.sub, email: user.email, groups: user.groups }, { headers });
}
