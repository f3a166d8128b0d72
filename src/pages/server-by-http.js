import { readText } from './read-answer.js';

/** @import { Link } from './server-link.ts' */

const timeoutMs = 15_000;

/**
 * Sends commands to the JSON-RPC port of a ledger server. Its answers get the form of those by
 * WebSocket, which state an error beside the result.
 *
 * @param {string} server
 * @returns {Link}
 */
export function linkByHttp(server) {
  return {
    async send({ command, ...params }) {
      const response = await fetch(server, {
        method: 'POST',
        // As plain text, browsers send it without asking first (preflight), which such servers refuse.
        headers: { 'Content-Type': 'text/plain' },
        body: JSON.stringify({ method: command, params: [params] }),
        ...{ cache: 'no-store', credentials: 'omit', redirect: 'error' },
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { result } = JSON.parse(await readText(response));
      return result?.error === undefined ? { result } : { status: 'error', error: result.error };
    },
  };
}
