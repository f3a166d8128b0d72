import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasNoBody } from './body.ts';

/** How long a body may take to arrive. Times in milliseconds. */
export interface ArrivalLimits {
  readonly requestTimeoutMs: number;
  /** An upload may go on for longer: as long as it does not pause for this long … */
  readonly uploadIdleMs: number;
  /** … and comes in at this rate, on average after `requestTimeoutMs`. */
  readonly uploadBytesPerSecond: number;
  /** How often that is looked at. */
  readonly checkIntervalMs: number;
}

interface Awaited {
  readonly limits: ArrivalLimits;
  readonly onTooSlow: () => void;
  timer: NodeJS.Timeout;
}

const awaited = new WeakMap<IncomingMessage, Awaited>();

/** Calls `onTooSlow` if the body is not all there in time; a request without one is there already. */
export function boundArrival(
  req: IncomingMessage,
  res: ServerResponse,
  limits: ArrivalLimits,
  onTooSlow: () => void,
): void {
  if (hasNoBody(req)) return;
  const timer = setTimeout(() => req.complete || onTooSlow(), limits.requestTimeoutMs);
  awaited.set(req, { limits, onTooSlow, timer });
  const over = () => clearTimeout(awaited.get(req)?.timer);
  req.once('end', over);
  // Once the answer is out, what is left of the body is no longer waited for here.
  res.once('close', over);
}

/**
 * From now on the body is bounded as an upload: not by a time, but by how it comes in. To be called
 * right before reading it. Time in which we do not read is not held against the sender.
 */
export function allowUploadPace(req: IncomingMessage): void {
  const found = awaited.get(req);
  if (found === undefined) return;
  const { requestTimeoutMs, uploadIdleMs, uploadBytesPerSecond, checkIntervalMs } = found.limits;
  let received = 0;
  let heard = 0;
  let elapsedMs = 0;
  let idleMs = 0;
  req.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  clearTimeout(found.timer);
  found.timer = setInterval(() => {
    // Where it is paused, it is the disk that cannot keep up.
    if (req.complete || req.isPaused()) return;
    elapsedMs += checkIntervalMs;
    idleMs = received > heard ? 0 : idleMs + checkIntervalMs;
    heard = received;
    const dueMs = requestTimeoutMs + (received / uploadBytesPerSecond) * 1_000;
    if (idleMs >= uploadIdleMs || elapsedMs >= dueMs) {
      clearInterval(found.timer);
      found.onTooSlow();
    }
  }, checkIntervalMs);
}

/** Ends an incomplete body as one that arrives too slowly. */
export function endArrival(req: IncomingMessage): void {
  if (!req.complete) awaited.get(req)?.onTooSlow();
}
