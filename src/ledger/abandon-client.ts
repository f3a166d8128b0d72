import type { WebSocket } from 'ws';
import type { Client } from 'xrpl';

/** Maximum time for a server to answer the closing of a connection. */
const closingMs = 1_000;

/**
 * Abandons a client. The client starts its own reconnect timer after the `disconnected` event, so
 * end the client after that. Without an answer to the closing the client would reconnect later, so
 * terminate its socket.
 */
export function abandonClient(client: Client): void {
  const end = () => void client.disconnect().catch(() => {});
  client.removeAllListeners();
  client.on('error', () => {});
  client.on('disconnected', () => void setImmediate(end));
  setImmediate(end);
  // The client has no other way to end a socket that the server does not close.
  const { connection } = client as unknown as { connection?: { ws?: WebSocket | null } };
  const { ws } = connection ?? {};
  if (ws) {
    const ending = setTimeout(() => ws.terminate(), closingMs);
    ws.once('close', () => clearTimeout(ending));
  }
}

/** Returns the answer, or rejects if the connection is abandoned first. */
export async function untilAbandoned<Answer>(
  given: AbortSignal,
  answer: Promise<Answer>,
): Promise<Answer> {
  let stop = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the connection was closed'));
    if (given.aborted) stop();
    given.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, abandoned]);
  } finally {
    given.removeEventListener('abort', stop);
    // Ignore the later rejection of the two.
    answer.catch(() => {});
    abandoned.catch(() => {});
  }
}
