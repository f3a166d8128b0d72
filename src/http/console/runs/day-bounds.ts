import { type Html, html } from '../html.ts';

const lastDay = '9999-12-31';
const dayForm = /^\d{4}-\d\d-\d\d$/;

/** Bounds of a filter by days (UTC), as the API takes them: the last day is included. */
export function dayBounds(query: URLSearchParams): { readonly from: string; readonly to: string } {
  const [from = '', to = ''] = [query.get('from') ?? '', query.get('to') ?? ''];
  // Nothing is later than the last day that the API takes.
  return { from: startOf(from, 0), to: to === lastDay ? '' : startOf(to, 1) };
}

/** Start of a day, or of the one after it. A text that is no day stays, so that the API names it. */
function startOf(day: string, after: number): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!dayForm.test(day) || Number.isNaN(time)) return day;
  return new Date(time + after * 86_400_000).toISOString();
}

/** Fields of a filter by the day on which runs were finished. */
export function dayFields(query: URLSearchParams): Html {
  const field = (name: 'from' | 'to', label: string) =>
    html`<div><label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="date" value="${query.get(name) ?? ''}"></div>`;
  return html`${field('from', 'Finished from (UTC)')}${field('to', 'Finished until (UTC)')}`;
}
