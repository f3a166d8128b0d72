import { readServerAnswer } from './read-server-answer.js';
import { linkByHttp } from './server-by-http.js';
import { connectByWebSocket } from './server-by-websocket.js';

/** @import { Link } from './server-link.ts' */
/** @import { Answer } from './verification.ts' */

/**
 * Asks the ledger server in this script's address for transactions. The policy of this script
 * permits a connection to that server alone. Takes `{transactionHash}` and posts
 * `{transactionHash, answer}`.
 */
const server = new URL(location.href).searchParams.get('server') ?? '';
const { host, protocol } = new URL(server);

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
async function connect() {
  if (protocol === 'http:' || protocol === 'https:') return linkByHttp(server);
  return connectByWebSocket(server, () => {
    linked = null;
  });
}
