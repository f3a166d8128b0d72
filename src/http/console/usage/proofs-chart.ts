import { grouped } from '../grouped.ts';
import { type Html, html } from '../html.ts';

/** Number of days in the chart, the present one included. */
export const chartDays = 30;

const [barWidth, gap, height] = [16, 4, 120];

/** Dates (UTC, `2026-11-24`) of the chart, the oldest first. */
export function daysUntil(now: Date): readonly string[] {
  const dayMs = 86_400_000;
  return Array.from({ length: chartDays }, (_, index) => {
    const time = now.getTime() - (chartDays - 1 - index) * dayMs;
    return new Date(time).toISOString().slice(0, 10);
  });
}

/** Proofs by day, as a picture and as a table. `proofs` has no entry for a day without proofs. */
export function proofsChart(
  {
    days,
    proofs,
  }: { readonly days: readonly string[]; readonly proofs: ReadonlyMap<string, number> },
  summary: string,
  root: string,
): Html {
  const values = days.map((day) => ({ day, count: proofs.get(day) ?? 0 }));
  if (values.every(({ count }) => count === 0)) return empty(root, summary);
  const most = Math.max(...values.map(({ count }) => count));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const width = days.length * (barWidth + gap);
  return html`<div class="card"><h2 id="proofs">Proofs by day</h2>
      <p data-live="proofs">${summary}</p>
      <svg class="bars" role="img" aria-labelledby="proofs" aria-describedby="proofs-table" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
        ${values.map(({ day, count }, index) => bar(index, day, count, most))}
      </svg>
      <p class="ends"><span>${first}</span> <span>${last}</span></p>
      <details><summary>As a table</summary>
        <table id="proofs-table"><caption>Proofs anchored on each day (UTC)</caption>
          <thead><tr><th scope="col">Day</th><th scope="col">Proofs</th></tr></thead>
          <tbody>${values
            .filter(({ count }) => count > 0)
            .map(
              ({ day, count }) =>
                html`<tr><th scope="row">${day}</th><td>${grouped(count)}</td></tr>`,
            )}</tbody>
        </table>
      </details></div>`;
}

/** A day without proofs has a thin bar, so that the scale of days stays visible. */
function bar(index: number, day: string, count: number, most: number): Html {
  const tall = count === 0 ? 1 : Math.max(3, Math.round((count / most) * height));
  const kind = count === 0 ? 'none' : 'some';
  return html`<rect class="${kind}" x="${index * (barWidth + gap)}" y="${height - tall}" width="${barWidth}" height="${tall}"><title>${day}: ${grouped(count)}</title></rect>`;
}

function empty(root: string, summary: string): Html {
  return html`<div class="card"><h2>Proofs by day</h2>
      <p data-live="proofs">${summary}</p>
      <p><a href="${root}console/prove">Prove a file</a> here, or <a href="${root}console/keys">create a key</a> for a program.</p></div>`;
}
