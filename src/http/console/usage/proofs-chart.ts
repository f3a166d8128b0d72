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

/** Proofs by day, as a picture and as a table. `counts` has no entry for a day without proofs. */
export function proofsChart(
  days: readonly string[],
  counts: ReadonlyMap<string, number>,
  root: string,
): Html {
  const values = days.map((day) => ({ day, count: counts.get(day) ?? 0 }));
  const total = values.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return empty(root);
  const most = Math.max(...values.map(({ count }) => count));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const width = days.length * (barWidth + gap);
  const summary = `${total} proofs in ${days.length} days, at most ${most} in one day`;
  return html`<div class="card"><h2 id="proofs">Proofs by day</h2>
      <p>${summary}.</p>
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
              ({ day, count }) => html`<tr><th scope="row">${day}</th><td>${count}</td></tr>`,
            )}</tbody>
        </table>
      </details></div>`;
}

/** A day without proofs has a thin bar, so that the scale of days stays visible. */
function bar(index: number, day: string, count: number, most: number): Html {
  const tall = count === 0 ? 1 : Math.max(3, Math.round((count / most) * height));
  const kind = count === 0 ? 'none' : 'some';
  return html`<rect class="${kind}" x="${index * (barWidth + gap)}" y="${height - tall}" width="${barWidth}" height="${tall}"><title>${day}: ${count}</title></rect>`;
}

function empty(root: string): Html {
  return html`<div class="card"><h2>Proofs by day</h2>
      <p>No proof was anchored in the last ${chartDays} days. <a href="${root}console/keys">Create a key</a>: its
      first call proves a file.</p></div>`;
}
