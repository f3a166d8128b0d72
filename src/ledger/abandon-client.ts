import type { WebSocket } from 'ws';
import type { Client } from 'xrpl';

/** How long a server may take to answer the closing of a connection. */
const closingMs = 1_000;

/**
 * Lets go of a client. Its own timer for reconnecting starts after it told of a disconnection, so it is
 * ended after that; and one whose server does not answer the closing would reconnect later.
 */
export function abandonClient(client: Client): void {
  const end = () => void client.disconnect().catch(() => {});
  client.removeAllListeners();
  client.on('error', () => {});
  client.on('disconnected', () => void setImmediate(end));
  setImmediate(end);
  // The client has no other way to end a socket whose other side is silent.
  const { connection } = client as unknown as { connection?: { ws?: WebSocket | null } };
  const { ws } = connection ?? {};
  if (ws) {
    const ending = setTimeout(() => ws.terminate(), closingMs);
    ws.once('close', () => clearTimeout(ending));
  }
}

/** The answer, unless the connection it was asked on is given up first. */
export async function untilAbandoned<Answer>(
  given: AbortSignal,
  answer: Promise<Answer>,
): Promise<Answer> {
  let stop = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the connection was given up'));
    if (given.aborted) stop();
    given.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, abandoned]);
  } finally {
    given.removeEventListener('abort', stop);
    // Whichever of the two comes later is nobody's concern any more.
    answer.catch(() => {});
    abandoned.catch(() => {});
  }
}
