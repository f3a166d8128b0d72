import { pino } from 'pino';

/** Bytes of lines that could not be written yet; more are dropped. */
const maxKeptBytes = 1_000_000;

/**
 * The destination of the service's log lines. It drops those that cannot be written, as on a full disk:
 * without a listener the error would be thrown out of the call that logs.
 *
 * - `fd`: file descriptor; by default standard error.
 */
export function logDestination(fd = 2): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ fd, sync: true, maxLength: maxKeptBytes });
  destination.on('error', () => {});
  return destination;
}
