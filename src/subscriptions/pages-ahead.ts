import type { LogPage } from '../event-store/log-page.ts';

/**
 * Reads the wanted events after a position, up to another one. Earlier pages end at the head of the
 * log, or are cut because they are large.
 */
export type ReadStretch = (after: number, upTo: number) => Promise<LogPage>;

interface Stretch {
  readonly after: number;
  readonly upTo: number;
  readonly page: Promise<LogPage>;
}

/**
 * The log from a position up to another one, or to its head, in pages in order. Reads `ahead`
 * stretches of `positions` each while its caller works on a page. Reads the rest of a cut page
 * before later ones are returned.
 */
export async function* pagesAhead(
  read: ReadStretch,
  from: number,
  options: { readonly upTo?: number; readonly positions: number; readonly ahead: number },
): AsyncGenerator<LogPage, void, void> {
  const { upTo = Infinity, positions, ahead } = options;
  let planned = from;
  let waiting: Stretch[] = [];
  const begin = (after: number, end: number): Stretch => {
    const page = read(after, end);
    // The read may fail while an earlier page is worked on. The failure is handled when the page is
    // awaited.
    page.catch(() => {});
    return { after, upTo: end, page };
  };
  const fill = () => {
    while (waiting.length < ahead && planned < upTo) {
      const end = Math.min(planned + positions, upTo);
      waiting.push(begin(planned, end));
      planned = end;
    }
  };
  for (fill(); ; ) {
    const next = waiting.shift();
    if (next === undefined) return;
    const page = await next.page;
    if (page.position < next.upTo) {
      if (page.isCut) waiting.unshift(begin(page.position, next.upTo));
      else {
        // The log ended there. Later stretches may hold events by now, and these may not.
        waiting = [];
        planned = page.position;
      }
    }
    if (page.position === next.after) return;
    fill();
    yield page;
  }
}
