import { type Html, html } from './html.ts';

const most = 1_000_000;

/** The page number in a query; 1 if there is none. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), most) : 1;
}

/** Links to the pages before and after; null if all is on one page. */
export function pageLinks(options: {
  readonly path: string;
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}): Html | null {
  const { path, page, limit, total } = options;
  const last = Math.max(1, Math.ceil(total / limit));
  if (last === 1 && page === 1) return null;
  return html`<nav class="pages" aria-label="Pages">
      ${page > 1 && html`<a rel="prev" href="${path}?page=${page - 1}">Previous</a>`}
      <span>Page ${page} of ${last}</span>
      ${page < last && html`<a rel="next" href="${path}?page=${page + 1}">Next</a>`}
    </nav>`;
}
