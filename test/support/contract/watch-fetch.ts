import { setTimeout as sleep } from 'node:timers/promises';
import { failOnBreaches } from './fail-on-breaches.ts';

/** How many services were started at an origin and have not ended: a port is taken again by others. */
const watched = new Map<string, number>();
const fetchUnwatched = globalThis.fetch;

/** Each takes as long as the service itself waits for its read models, mostly 5 s, and its `Retry-After`. */
const mostAttempts = 12;

/**
 * Compares every answer fetched from this address with the OpenAPI document, until `ended`. Use it for
 * services in a process of their own; `holdApp` covers those in this process. Repeats a call while the
 * service catches up, as clients do: on a busy machine it may take longer than the service waits.
 */
export function watchFetch(address: string, ended: Promise<unknown>): void {
  const { origin } = new URL(address);
  const add = (count: number) => watched.set(origin, (watched.get(origin) ?? 0) + count);
  add(1);
  const unwatch = () => void add(-1);
  ended.then(unwatch, unwatch);
  globalThis.fetch = fetchWatched;
}

const fetchWatched: typeof fetch = async (input, init) => {
  const { method, url } = requestOf(input, init);
  // The body of a `Request` and a stream can be sent only once.
  const isOnce = input instanceof Request || init?.body instanceof ReadableStream;
  for (let left = isOnce ? 0 : mostAttempts - 1; ; left -= 1) {
    // Afterwards the service may have ended.
    const isWatched = (watched.get(url.origin) ?? 0) > 0;
    const response = await fetchUnwatched(input, init);
    if (!isWatched) return response;
    const text = await hold(method, `${url.pathname}${url.search}`, response);
    const isBehind = response.status === 503 && text?.includes('the service is catching up');
    if (!isBehind || left <= 0) return response;
    await response.body?.cancel();
    await sleep(1_000 * Number(response.headers.get('retry-after')));
  }
};

function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined) {
  const request = input instanceof Request ? input : null;
  const method = init?.method ?? request?.method ?? 'GET';
  // `input` is a Request, a URL or a string.
  return { method, url: new URL(request?.url ?? String(input)) };
}

/** Resolves with the text of a JSON answer. */
async function hold(method: string, target: string, response: Response): Promise<string | null> {
  const { status, headers } = response;
  // After a redirect the answer belongs to another target.
  if (response.redirected) return null;
  const type = headers.get('content-type') ?? '';
  const isJson = type === '' || type.startsWith('application/json');
  const text = isJson ? await readCopy(response) : null;
  // The body broke off. The test itself has to check that.
  if (text === undefined) return null;
  failOnBreaches({ method, target, status, headers: Object.fromEntries(headers), text });
  return text;
}

async function readCopy(response: Response): Promise<string | undefined> {
  try {
    return await response.clone().text();
  } catch {
    return undefined;
  }
}
