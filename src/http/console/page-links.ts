import { grouped } from './grouped.ts';
import { type Html, html } from './html.ts';

const most = 1_000_000;

/** The page number in a parameter of a query; 1 if there is none. */
export function pageNumber(query: URLSearchParams, parameter = 'page'): number {
  const text = query.get(parameter) ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), most) : 1;
}

/** Links to the pages before and after; null if all is on one page. */
export function pageLinks(options: {
  readonly path: string;
  /** Filters of the list, which the links keep. */
  readonly query?: URLSearchParams;
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  /** Parameter that has the number; another one for a second list of a page. */
  readonly parameter?: string;
}): Html | null {
  const { path, query, page, limit, total, parameter = 'page' } = options;
  const linkTo = (number: number) => {
    const kept = [...(query ?? [])].filter(([name, value]) => name !== parameter && value !== '');
    return `${path}?${new URLSearchParams([...kept, [parameter, String(number)]])}`;
  };
  const last = Math.max(1, Math.ceil(total / limit));
  if (last === 1 && page === 1) return null;
  return html`<nav class="pages" aria-label="Pages">
      ${page > 1 && html`<a rel="prev" href="${linkTo(page - 1)}">Previous</a>`}
      <span>Page ${grouped(page)} of ${grouped(last)}</span>
      ${page < last && html`<a rel="next" href="${linkTo(page + 1)}">Next</a>`}
    </nav>`;
}
