import { readServerAnswer } from './read-server-answer.js';

/** @import { Answer } from './ask-ledger.js' */

/**
 * Asks the ledger server in this script's address for transactions. The policy of this script
 * permits a connection to that server alone. Takes `{transactionHash}` and posts
 * `{transactionHash, answer}`.
 */
const server = new URL(location.href).searchParams.get('server') ?? '';
const { host } = new URL(server);
const timeoutMs = 15_000;
const maxAnswer = 1_000_000;

/** @typedef {{send: (command: object) => Promise<any>}} Link */

/** @type {Promise<Link> | null} */
let linked = null;

/** @type {Promise<unknown>} */
let before = Promise.resolve();

addEventListener('message', ({ data: { transactionHash } }) => {
  // One request at a time: public servers limit how much a stranger may ask.
  before = before.then(async () => {
    postMessage({ transactionHash, answer: await ask(transactionHash) });
  });
});

/**
 * @param {string} transactionHash
 * @returns {Promise<Answer>}
 */
async function ask(transactionHash) {
  try {
    linked ??= connect();
    const { send } = await linked;
    const info = await send({ command: 'server_info' });
    const found = await send({ command: 'tx', transaction: transactionHash });
    return readServerAnswer({ info, found, transactionHash, server: host });
  } catch {
    linked = null;
    return { found: 'unreachable' };
  }
}

/** @returns {Promise<Link>} */
function connect() {
  const socket = new WebSocket(server);
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  const open = new Map();
  let asked = 0;
  const end = () => {
    linked = null;
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
