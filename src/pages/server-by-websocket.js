/** @import { Link } from './server-link.ts' */

const timeoutMs = 15_000;
const maxAnswer = 1_000_000;

/**
 * Connects to the WebSocket of a ledger server. Its commands are answered as the server sends them.
 *
 * @param {string} server
 * @param {() => void} onEnd Called when the connection has ended.
 * @returns {Promise<Link>}
 */
export function connectByWebSocket(server, onEnd) {
  const socket = new WebSocket(server);
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  const open = new Map();
  let asked = 0;
  const end = () => {
    onEnd();
    socket.close();
    for (const { reject } of open.values()) reject(new Error('the server gave no answer'));
    open.clear();
  };
  socket.addEventListener('message', ({ data }) => {
    try {
      if (String(data).length > maxAnswer) throw new Error('the answer is too large');
      const answer = JSON.parse(data);
      open.get(answer.id)?.resolve(answer);
      open.delete(answer.id);
    } catch {
      end();
    }
  });
  const send = (/** @type {object} */ command) =>
    new Promise((resolve, reject) => {
      asked += 1;
      open.set(asked, { resolve, reject });
      socket.send(JSON.stringify({ ...command, id: asked }));
      setTimeout(reject, timeoutMs, new Error('the server takes too long'));
    });
  return new Promise((resolve, reject) => {
    const fail = () => {
      end();
      reject(new Error('the server cannot be reached'));
    };
    socket.addEventListener('open', () => resolve({ send }));
    socket.addEventListener('error', fail);
    socket.addEventListener('close', fail);
    setTimeout(() => socket.readyState === WebSocket.CONNECTING && fail(), timeoutMs);
  });
}
