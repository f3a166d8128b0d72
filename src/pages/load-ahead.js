/** Parts that only some readers need. */
const parts = [
  () => import('./folder-files.js'),
  () => import('./named-server.js'),
  () => import('./report.js'),
  () => import('./show-table.js'),
];

/**
 * Loads these parts after the page itself. Then an open page needs no network, whatever its reader
 * does. A part that is missing is loaded again at its first use.
 */
export function loadAhead() {
  for (const load of parts) load().catch(() => {});
}
