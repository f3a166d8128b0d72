import { showChecked } from './report-page.js';
import { verdictKind, verdictTitle } from './show-verdict.js';
import { text } from './texts.js';

/** @import { Card } from './judge-items.js' */
/** @import { Item } from './reading-queue.js' */
/** @import { Summary } from './summarise.js' */

/**
 * A report of everything that the page has checked, for programs and for people.
 *
 * @typedef {object} Report
 * @property {'proofmark/verification-report'} format
 * @property {1} version
 * @property {string} checkedAt ISO 8601, UTC.
 * @property {string} page Address of the page.
 * @property {string | null} ledgerServer The server that was asked; null without one.
 * @property {{label: string, value: string}[]} stated Statements of a shared proof's page, which nothing
 *   verifies; empty on other pages.
 * @property {{kind: string, title: string} | null} summary Null for a single verdict.
 * @property {ReturnType<typeof verdictOf>[]} verdicts
 */

/**
 * @param {readonly Card[]} cards
 * @param {{summary: Summary | null, server: string | null}} more
 * @returns {Report}
 */
export function makeReport(cards, { summary, server }) {
  return {
    format: 'proofmark/verification-report',
    version: 1,
    checkedAt: new Date().toISOString(),
    page: location.href,
    ledgerServer: server,
    stated: statements(),
    summary: summary && {
      kind: summary.kind,
      title: text(`summary.${summary.text}`, summary.values),
    },
    verdicts: cards.map(verdictOf),
  };
}

function statements() {
  return [...document.querySelectorAll('.stated dt')].map((term) => ({
    label: String(term.textContent),
    value: String(term.nextElementSibling?.textContent),
  }));
}

/** @param {Card} card */
function verdictOf(card) {
  const { files, certificate, transactionHash, judgement } = card;
  const { kind, text: code, values, steps } = judgement;
  return {
    kind,
    code,
    label: verdictKind(judgement),
    title: verdictTitle(judgement),
    time: typeof values.time === 'string' ? values.time : null,
    transactionHash,
    files: files.map(givenOf),
    certificate: certificate && givenOf(certificate),
    steps: steps.map((step) => ({
      name: step.name,
      status: step.status,
      title: text(`step.${step.name}`),
      outcome: text(`outcome.${step.text}`, step.with ?? {}),
      values: (step.values ?? []).map(({ name, value }) => ({
        name,
        label: text(`value.${name}`),
        value,
      })),
      // Statements of the certificate that nothing proves.
      claims: step.claims ?? null,
    })),
  };
}

/** @param {Item} item */
function givenOf({ file, folder = '', read }) {
  const { name, size } = file;
  return { name, folder, sizeBytes: size, sha256: read?.fileHash ?? null };
}

/**
 * Saves the report as a file, without any connection.
 *
 * @param {Report} report
 * @param {'html' | 'json'} form
 */
export function saveReport(report, form) {
  const content = form === 'json' ? `${JSON.stringify(report, null, 2)}\n` : showChecked(report);
  const type = form === 'json' ? 'application/json' : 'text/html';
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `verification-${report.checkedAt.slice(0, 19).replaceAll(':', '')}Z.${form}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
