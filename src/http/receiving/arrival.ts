import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasNoBody } from './body.ts';

/**
 * Time limits for receiving a body, in milliseconds. An upload may exceed `requestTimeoutMs` within
 * the two limits for uploads.
 */
export interface ArrivalLimits {
  readonly requestTimeoutMs: number;
  /** Maximum pause of an upload. */
  readonly uploadIdleMs: number;
  /** Minimum average rate of an upload after `requestTimeoutMs`. */
  readonly uploadBytesPerSecond: number;
  /** Interval between checks. */
  readonly checkIntervalMs: number;
}

interface Awaited {
  readonly limits: ArrivalLimits;
  readonly onTooSlow: () => void;
  timer: NodeJS.Timeout;
}

const awaited = new WeakMap<IncomingMessage, Awaited>();

/**
 * Calls `onTooSlow` if the body is incomplete after `requestTimeoutMs`. Ignores requests without a
 * body.
 */
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
  // The rest of a body after the answer is not limited here.
  res.once('close', over);
}

/**
 * Replaces the time limit of the body by the limits for uploads. Call it right before reading the
 * body. Time in which the service does not read is not counted.
 */
export function allowUploadPace(req: IncomingMessage): void {
  const found = awaited.get(req);
  if (found === undefined) return;
  const { requestTimeoutMs, uploadIdleMs, uploadBytesPerSecond, checkIntervalMs } = found.limits;
  let received = 0;
  let receivedBefore = 0;
  let elapsedMs = 0;
  let idleMs = 0;
  req.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  clearTimeout(found.timer);
  found.timer = setInterval(() => {
    // The request is paused because the disk cannot keep up.
    if (req.complete || req.isPaused()) return;
    elapsedMs += checkIntervalMs;
    idleMs = received > receivedBefore ? 0 : idleMs + checkIntervalMs;
    receivedBefore = received;
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
