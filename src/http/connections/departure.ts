import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { InFlight } from './in-flight.ts';

/** Limits for clients that receive an answer slowly. Times in milliseconds. */
export interface DepartureLimits {
  /** Maximum time without any progress. */
  readonly downloadIdleMs: number;
  /** Time allowed for every answer. */
  readonly answerTimeoutMs: number;
  /** Minimum average rate of an answer after `answerTimeoutMs`. */
  readonly downloadBytesPerSecond: number;
  /** Interval between checks. */
  readonly checkIntervalMs: number;
}

/**
 * Disconnects clients that receive their answers too slowly. The time until an answer is ready is
 * not limited here. `sockets` are the open connections.
 */
export function boundDeparture(
  server: Server,
  sockets: ReadonlySet<Socket>,
  inFlight: InFlight,
  limits: DepartureLimits,
): void {
  // Node counts partial progress of a write as activity. Idle connections end by the same event.
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

/** Time allowed for an answer, in milliseconds. `bytes` includes bytes that are still buffered. */
function dueMs(bytes: number, limits: DepartureLimits): number {
  return limits.answerTimeoutMs + (bytes / limits.downloadBytesPerSecond) * 1_000;
}
