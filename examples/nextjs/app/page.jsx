import { addNote, ownNotes } from './notes.js';
import { links, signedInUser } from './session.js';

/** Made on the server for each request: nothing of the session is in the page's scripts. */
export default async function Page() {
  const user = await signedInUser();
  if (user === null) {
    return (
      <>
        <h1>Notes</h1>
        <p>
          <a href={links.signIn}>Sign in</a>
        </p>
      </>
    );
  }
  const notes = await ownNotes();
  return (
    <>
      <h1>Notes of {user.email}</h1>
      <ul>
        {notes.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <form action={addNote}>
        <label>
          Note <input name="text" required />
        </label>{' '}
        <button type="submit">Add</button>
      </form>
      <p>
        <a href={links.account}>Account and sign-out</a>
      </p>
    </>
  );
}
