import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { links, signedInUser } from './session.js';

/** In this process, and as long as it runs: Next.js may load a module several times. */
globalThis.notes ??= new Map();
const { notes } = globalThis;

/** The notes of who is signed in. */
export async function ownNotes() {
  const user = await signedInUser();
  return user === null ? [] : (notes.get(user.sub) ?? []);
}

/** Next.js takes an action only from a page of its own origin, so the cookie is enough here. */
export async function addNote(form) {
  'use server';
  const user = await signedInUser();
  if (user === null) redirect(links.signIn);
  const note = { id: crypto.randomUUID(), text: String(form.get('text')).slice(0, 200) };
  notes.set(user.sub, [...(notes.get(user.sub) ?? []), note]);
  revalidatePath('/');
}
