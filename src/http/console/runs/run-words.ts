import { canonicalDateTime } from '../../../domain/date-time.ts';
import type { RunData } from '../../../views/run-data.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { untrusted } from '../untrusted.ts';

/** Link to the page of a run. Its id is free text, so it is in the query and not in the path. */
export function runLink(runId: string, root: string): Html {
  return html`<a href="${root}console/runs/run?${idQuery(runId)}">${untrusted(runId, 128)}</a>`;
}

export function idQuery(runId: string): string {
  return new URLSearchParams({ id: runId }).toString();
}

/** Finish of a run, or else its start, as the agent states it. */
export function whenRun({
  startedAt,
  finishedAt,
}: Pick<RunData, 'startedAt' | 'finishedAt'>): Html {
  if (finishedAt !== null) return html`finished ${statedTime(finishedAt)}`;
  return startedAt === null ? html`without a time` : html`started ${statedTime(startedAt)}`;
}

/** A time as an agent wrote it, in UTC. */
export function statedTime(text: string): Html {
  const time = canonicalDateTime(text);
  return time === null ? untrusted(text, 40) : timeInHtml(time);
}
