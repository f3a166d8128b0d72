/** Scripts that may run as a thread. */
const allowed = ['./reading-worker.js', './server-worker.js', './hashing-worker.js'].map(
  (name) => new URL(name, import.meta.url).href,
);

/** @param {string} url */
function createScriptURL(url) {
  if (!allowed.includes(url.replace(/\?.*$/, ''))) throw new Error('this is no thread of the page');
  return url;
}

/**
 * Browsers with Trusted Types start scripts only from such a policy. Other browsers accept the URL.
 * @type {{createScriptURL: (url: string) => string}}
 */
const scripts = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('proofmark', {
  createScriptURL,
}) ?? { createScriptURL };

/**
 * Starts a script of the pages on another thread, under the Content-Security-Policy of that script.
 *
 * @param {string} name
 * @param {Record<string, string>} [query]
 */
export function startThread(name, query = {}) {
  const url = new URL(name, import.meta.url);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  return new Worker(scripts.createScriptURL(url.href), { type: 'module' });
}
