import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { InFlight } from './in-flight.ts';

/** How slowly a client may take in an answer. Times in milliseconds. */
export interface DepartureLimits {
  /** So long it may take nothing at all, … */
  readonly downloadIdleMs: number;
  /** … so long any answer may take, … */
  readonly answerTimeoutMs: number;
  /** … and a large one as long as it goes out at this rate, on average. */
  readonly downloadBytesPerSecond: number;
  /** How often that is looked at. */
  readonly checkIntervalMs: number;
}

/**
 * Cuts off clients that do not take in what they are answered. How long an answer is awaited is not
 * bounded here. `sockets` are the open connections.
 */
export function boundDeparture(
  server: Server,
  sockets: ReadonlySet<Socket>,
  inFlight: InFlight,
  limits: DepartureLimits,
): void {
  // Node sees whether anything of a write went out; an idle connection ends by the same event.
  server.setTimeout(limits.downloadIdleMs, (socket: Socket) => {
    if (socket.writableLength > 0 || !inFlight.isBusy(socket)) socket.destroy();
  });
  const behind = new WeakMap<Socket, { readonly since: number; readonly bytesWritten: number }>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const socket of sockets) {
      const began = behind.get(socket);
      if (socket.writableLength === 0) behind.delete(socket);
      else if (began === undefined) {
        behind.set(socket, { since: now, bytesWritten: socket.bytesWritten });
      } else if (now - began.since >= dueMs(socket.bytesWritten - began.bytesWritten, limits)) {
        socket.destroy();
      }
    }
  }, limits.checkIntervalMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** `bytes` counts also what still waits to go out: all that is there to take in. */
function dueMs(bytes: number, limits: DepartureLimits): number {
  return limits.answerTimeoutMs + (bytes / limits.downloadBytesPerSecond) * 1_000;
}
