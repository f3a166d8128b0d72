import { element } from './element.js';
import { showVerdict } from './show-verdict.js';
import { text } from './texts.js';

/** @import { Summary } from './summarise.js' */

/**
 * The overall outcome: counts by outcome, and the limits of all proofs.
 * @param {Summary} summary
 */
export function showSummary(summary) {
  const { kind, values, counts } = summary;
  const lines = counts.map(({ name, count }) =>
    element('li', {}, text(`summary.${name}`, { ...values, count })),
  );
  return showVerdict(
    kind,
    { level: 'h2', title: summaryTitle(summary) },
    element('ul', { class: 'counts' }, ...lines),
    values.proven + values.stated > 0
      ? element('p', { class: 'because' }, text('summary.onlyBytes'))
      : null,
  );
}

/** @param {Summary} summary */
export function summaryTitle({ text: name, values }) {
  return text(`summary.${name}`, values);
}
