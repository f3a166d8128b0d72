import { element } from './element.js';
import { showVerdict } from './show-verdict.js';
import { text } from './texts.js';

/** @import { Summary } from './summarise.js' */

/**
 * The overall outcome: counts by outcome, and the limits of all proofs.
 * @param {Summary} summary
 */
export function showSummary(summary) {
  const lines = summaryLines(summary).map((line) => element('li', {}, line));
  return showVerdict(
    summary.kind,
    { level: 'h2', title: summaryTitle(summary), label: summaryKind(summary) },
    element('ul', { class: 'counts' }, ...lines),
    ...summaryLimits(summary).map((words) => element('p', { class: 'because' }, words)),
  );
}

/** The kind of the outcome in words: without a proven file it rests on the service. @param {Summary} summary */
export function summaryKind({ kind, values }) {
  return text(kind === 'partial' && values.proven === 0 ? 'kind.stated' : `kind.${kind}`);
}

/** The counts in words. @param {Summary} summary */
export function summaryLines({ values, counts }) {
  return counts.map(({ name, count }) => text(`summary.${name}`, { ...values, count }));
}

/** The limits of the verdicts, in words. @param {Summary} summary */
export function summaryLimits({ limits }) {
  return limits.length === 0 ? [] : [limits.map((name) => text(name)).join(' ')];
}

/** @param {Summary} summary */
export function summaryTitle({ text: name, values }) {
  return text(`summary.${name}`, values);
}
