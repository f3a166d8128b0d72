import type { DocumentData } from '../../../views/document-schema.ts';
import { type Html, html } from '../html.ts';
import { untrusted } from '../untrusted.ts';

const words: Readonly<Record<DocumentData['blockchainStatus'], string>> = {
  pending: 'pending',
  processing: 'being recorded',
  completed: 'proven',
};

const sentences: Readonly<Record<DocumentData['blockchainStatus'], string>> = {
  pending: 'No transaction is signed yet. The service records the proof as soon as it can.',
  processing: 'A signed transaction may be on the ledger.',
  completed: 'The proof is in a validated ledger, for good.',
};

/** State of a proof, as a badge that changes while the page is open. */
export function stateBadge({
  proofId,
  blockchainStatus: status,
}: Pick<DocumentData, 'proofId' | 'blockchainStatus'>): Html {
  return html`<span class="badge badge-${status}" data-proof="${proofId}"
    data-pending="${words.pending}" data-processing="${words.processing}" data-completed="${words.completed}">${words[status]}</span>`;
}

/** State of a proof, in a word or two. */
export function stateWord(status: DocumentData['blockchainStatus']): string {
  return words[status];
}

/** State of a proof, as a sentence. */
export function stateSentence(status: DocumentData['blockchainStatus']): string {
  return sentences[status];
}

/** Name of the file, or what stands in for it. */
export function fileTitle({ fileName, fileHash }: DocumentData): Html {
  if (fileName !== null) return untrusted(fileName, 255);
  return html`Hash <code>${fileHash.slice(0, 16)}…</code>`;
}
