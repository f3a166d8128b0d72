import { type Html, html } from './html.ts';

/** Sentence above a form that shows what another person changed. */
export const changedMeanwhile =
  'Somebody changed this while you had the form open, so nothing was changed by you. Check the present ' +
  'values, and send the form again.';

/** Field of a form that edits something: the version of its stream that the form shows. */
export function seenField(version: number): Html {
  return html`<input type="hidden" name="seen" value="${version}">`;
}

/** The version that a form was made from. A form without it was made from none. */
export function readSeen(form: URLSearchParams): number {
  const text = form.get('seen') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}
