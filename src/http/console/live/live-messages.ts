/** One message of a stream of server-sent events (HTML, section 9.2). `data` has no line end. */
export function liveMessage(event: string, data: object, id?: number): string {
  const line = id === undefined ? '' : `id: ${id}\n`;
  return `${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Begins a stream: browsers connect again after this time when it breaks. */
export const liveStart = 'retry: 3000\n\n';

/** A comment, so that proxies see a connection that is used. */
export const liveBeat = ': \n\n';

/** Headers of a stream that no proxy may keep, change or collect. */
export const liveHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // nginx passes on each message at once.
  'X-Accel-Buffering': 'no',
} as const;
