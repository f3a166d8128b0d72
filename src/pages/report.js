import { signedBy, voucherFor } from './certificate-steps.js';
import { showChecked } from './report-page.js';
import { saveBlob } from './save-blob.js';
import { wordsFor } from './show-chain.js';
import { claimedBy, claimsOf } from './show-claims.js';
import { notesOn } from './show-item.js';
import { summaryKind, summaryLimits, summaryLines, summaryTitle } from './show-summary.js';
import { outcomeOf, verdictKind, verdictTexts, verdictTitle } from './show-verdict.js';
import { text } from './texts.js';

/** @import { Item } from './given-file.ts' */
/** @import { GivenFile, Report, Verdict } from './report-content.ts' */
/** @import { Session } from './session.js' */
/** @import { Step } from './step.ts' */
/** @import { Card } from './verdict.ts' */

/**
 * The report of a session with verdicts.
 *
 * @param {Session} session
 * @returns {Report}
 */
export function makeReport(session) {
  const { cards, summary, server, checkedAt } = session;
  if (checkedAt === null) throw new Error('nothing was checked yet');
  return {
    format: 'proofmark/verification-report',
    version: 1,
    checkedAt,
    page: location.href,
    ledgerServer: server,
    stated: statements(),
    summary: summary && {
      kind: summary.kind,
      label: summaryKind(summary),
      title: summaryTitle(summary),
      lines: summaryLines(summary),
      limits: summaryLimits(summary),
    },
    verdicts: cards.map((card) => verdictOf(card, session)),
  };
}

function statements() {
  return [...document.querySelectorAll('.stated dt')].map((term) => ({
    label: String(term.textContent),
    value: shownIn(term.nextElementSibling),
  }));
}

/**
 * Text of an element, without its words for browsers that run no scripts.
 * @param {Element | null} element
 */
function shownIn(element) {
  const copy = document.createElement('div');
  copy.append(...(element?.cloneNode(true).childNodes ?? []));
  for (const each of copy.querySelectorAll('noscript')) each.remove();
  return copy.textContent;
}

/**
 * @param {Card} card
 * @param {Session} session
 * @returns {Verdict}
 */
function verdictOf(card, session) {
  const { files, certificate, transactionHash, judgement } = card;
  const { kind, text: code, values, steps } = judgement;
  const chain = transactionHash === null ? null : session.chainOf(transactionHash);
  return {
    kind,
    code,
    label: verdictKind(judgement),
    title: verdictTitle(judgement),
    explanation: verdictTexts(card),
    time: typeof values.time === 'string' ? values.time : null,
    transactionHash,
    files: files.map((item) => givenOf(item, 'file', steps)),
    certificate: certificate && givenOf(certificate, 'certificate', steps),
    steps: steps.map((step) => ({
      name: step.name,
      status: step.status,
      title: text(`step.${step.name}`),
      outcome: outcomeOf(step),
      values: (step.values ?? []).map(({ name, value }) => ({
        name,
        label: text(`value.${name}`),
        value,
      })),
      // Statements of the certificate that nothing proves.
      claims: step.claims ? claimsOf(step.claims) : [],
      claimsLabel: step.claims ? claimedBy(voucherFor(step.status)) : null,
    })),
    earlierRevisions: (chain?.links ?? []).map(({ transactionHash, answer }) => ({
      transactionHash,
      outcome: wordsFor(answer),
    })),
  };
}

/**
 * @param {Item} item
 * @param {'file' | 'certificate'} role
 * @param {readonly Step[]} steps
 * @returns {GivenFile}
 */
function givenOf(item, role, steps) {
  const { file, folder = '', read } = item;
  const notes = notesOn(item, role).map(({ words, isClaim }) => {
    return isClaim ? `${words} (${claimedBy(signedBy(steps))})` : words;
  });
  return { name: file.name, folder, sizeBytes: file.size, sha256: read?.fileHash ?? null, notes };
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
  const time = report.checkedAt.slice(0, 19).replaceAll(':', '');
  saveBlob(new Blob([content], { type: `${type};charset=utf-8` }), `verification-${time}Z.${form}`);
}
