import type { Test } from 'tap';

/** A server-sent event. */
export interface LiveEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

interface Listening {
  readonly cookie: string;
  readonly site: { readonly url: string };
}

/** Opens the stream of changes as a page does, and reads its events. It closes with the test. */
export async function liveReader(
  t: Pick<Test, 'teardown'>,
  { cookie, site }: Listening,
  {
    query = '',
    headers = {},
  }: { readonly query?: string; readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const abort = new AbortController();
  t.teardown(() => abort.abort());
  const response = await fetch(`${site.url}/console/live${query}`, {
    headers: { cookie, accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  let text = '';
  let read = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        for (const wake of waiting) wake();
      }
    } catch {
      // The test or the service closed it.
    }
    isOver = true;
    for (const wake of waiting) wake();
  })();
  /** Resolves when the stream has this; rejects if it ends before. */
  async function when<Found>(find: () => Found | null): Promise<Found> {
    for (;;) {
      const found = find();
      if (found !== null) return found;
      if (isOver) throw new Error(`the stream ended: ${text}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  }
  const next = (name: string) =>
    when(() => {
      for (;;) {
        const end = text.indexOf('\n\n', read);
        if (end < 0) return null;
        const block = text.slice(read, end);
        read = end + 2;
        const event = parse(block);
        if (event?.event === name) return event;
      }
    });

  return {
    ...{ status: response.status, headers: response.headers, next },
    text: () => text,
    /** Reads events until one fits. */
    async until(name: string, fits: (event: LiveEvent) => boolean): Promise<LiveEvent> {
      for (;;) {
        const event = await next(name);
        if (fits(event)) return event;
      }
    },
    /** Resolves after another beat. */
    beat() {
      const before = text.length;
      return when(() => (text.indexOf(': \n\n', before) < 0 ? null : true));
    },
    ended: () => reading,
    async close() {
      abort.abort();
      await reading;
    },
  };
}

function parse(block: string): LiveEvent | null {
  const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const event = of('event');
  if (event === undefined) return null;
  return { event, id: of('id') ?? '', data: JSON.parse(of('data') ?? 'null') };
}
