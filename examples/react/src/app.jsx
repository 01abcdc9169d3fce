import { Account } from './account.jsx';
import { Login } from './login.jsx';
import { useSession } from './use-session.js';

/** Shows the login, or the account of who is logged in. */
export function App() {
  const session = useSession();
  if (session === undefined) return <p>…</p>;
  if (session instanceof Error) return <p role="alert">{session.message}</p>;
  return session.user === null ? <Login /> : <Account user={session.user} />;
}
