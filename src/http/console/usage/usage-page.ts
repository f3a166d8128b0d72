import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import { proofsChart } from './proofs-chart.ts';
import { readUsage, type UsageDeps, type Used } from './read-usage.ts';
import { type LiveNumber, usageNumbers } from './usage-texts.ts';

/** Requests of the present windows, uploads of the month against the allowance, and proofs by day. */
export const usagePage: ConsoleRoute<UsageDeps> = {
  kind: 'view',
  path: '/console/usage',
  role: 'member',
  handle: async ({ viewer, root }, deps) => {
    const usage = await readUsage(deps, viewer.organisation);
    const numbers = usageNumbers(usage);
    const meters: readonly (readonly [string, string, Used])[] = [
      ['minute', 'Requests in this minute', usage.minute],
      ['day', 'Requests in this day', usage.day],
      ['uploads', `Uploads in ${usage.month} (UTC)`, usage.uploads],
    ];
    const content = html`<h1>Usage</h1>
      <p class="lead">Of all keys, and of files proven, certificates issued and links created in the console, together. The numbers are updated
        whenever something is proven or uploaded.</p>
      ${meters.map(([name, title, used]) => meter(name, title, { ...used, ...numbers[name] }))}
      ${proofsChart(usage, numbers.proofs?.text ?? '', root)}
      <p class="hint">A minute and a day begin with their first request. A call above a limit is
      refused, and names the time of the next one.</p>`;
    return consoleReply({ title: 'Usage', content, root, viewer, place: 'usage' });
  },
};

/** A number against its limit. Its text and its meter follow the log while the page is open. */
function meter(
  name: string,
  title: string,
  { text = '', value, limit }: Partial<LiveNumber> & Used,
): Html {
  const most = Math.max(1, limit ?? 1);
  return html`<div class="card"><h2 id="${name}">${title}</h2>
      <p data-live="${name}">${text}</p>
      ${value !== undefined && html`<meter aria-labelledby="${name}" data-live="${name}" min="0" max="${most}" value="${value}"></meter>`}</div>`;
}
