import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Answers of a server to the same request, one after the other, until it warns or closes. */
export interface Charged {
  readonly answers: number;
  /** Close code; null if the connection stays open. */
  readonly code: number | null;
  readonly warned: boolean;
}

/**
 * Repeats a request as fast as the server answers, at most `most` times, from a local address of
 * its own: servers count the load of an address.
 */
export async function repeatRequest(
  url: string,
  localAddress: string,
  request: object,
  most: number,
): Promise<Charged> {
  const socket = new WebSocket(url, { localAddress, perMessageDeflate: false });
  socket.on('error', () => {});
  await once(socket, 'open');
  const closed = once(socket, 'close').then(([code]) => Number(code));
  let answers = 0;
  let code: number | null = null;
  while (answers < most) {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, ...request }));
    const outcome = await Promise.race([answered, closed]);
    if (typeof outcome === 'number') {
      code = outcome;
      break;
    }
    answers += 1;
    if (JSON.parse(String(outcome[0])).warning === 'load') {
      socket.terminate();
      return { answers, code: null, warned: true };
    }
  }
  socket.terminate();
  return { answers, code, warned: false };
}
