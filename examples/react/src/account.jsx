import { useEffect, useState } from 'react';
import { client } from './client.js';

/** Who is logged in, with a name that can be changed. */
export function Account({ user }) {
  const [name, setName] = useState();
  const [said, setSaid] = useState('');
  useEffect(() => {
    client.profile.show().then(
      ({ attributes }) => setName(attributes.name ?? ''),
      (error) => setSaid(error.message),
    );
  }, []);
  const save = async (form) => {
    try {
      const { user } = await client.profile.update({ name: form.get('name') });
      setName(user.attributes.name);
      setSaid('The name was saved.');
    } catch (error) {
      setSaid(error.message);
    }
  };
  return (
    <>
      <h1>{user.email} is logged in</h1>
      {name !== undefined && (
        <form action={save}>
          <p>
            <label>
              Name <input key={name} name="name" defaultValue={name} />
            </label>{' '}
            <button type="submit">Save</button>
          </p>
        </form>
      )}
      <p>
        <button type="button" onClick={() => client.logOut().catch((error) => setSaid(error.message))}>
          Log out
        </button>
      </p>
      <output>{said}</output>
    </>
  );
}
