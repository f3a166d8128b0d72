import type { Context } from '../request-state.ts';

/**
 * Calls the listener once: with true when a successful answer was handed whole to an open
 * connection, with false after an error or a broken connection.
 */
export function whenAnswered(
  { req, res }: Pick<Context, 'req' | 'res'>,
  listener: (isSuccess: boolean) => void,
): void {
  if (res.writableFinished || res.closed || res.destroyed) {
    listener(false);
    return;
  }
  const onFinish = () => {
    res.off('close', onClose);
    listener(res.statusCode < 300 && !req.socket.destroyed);
  };
  const onClose = () => {
    res.off('finish', onFinish);
    listener(false);
  };
  res.once('finish', onFinish).once('close', onClose);
}
