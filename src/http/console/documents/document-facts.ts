import { bytesInWords } from '../../../domain/bytes-in-words.ts';
import type { DocumentData } from '../../../views/document-schema.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { untrusted, untrustedJson } from '../untrusted.ts';

/** Facts of a proof and its file, and its file if the service has it. */
export function documentFacts(item: DocumentData, workspace: string, root: string): Html {
  const { proofId, documentId, description, fileSize, mimeType, txHash, timestamp } = item;
  return html`<dl class="card">
      ${description !== null && fact('Description', untrusted(description, 500))}
      ${fact('Workspace', untrusted(workspace, 255))}
      ${fact('SHA-256 of the file', code(item.fileHash))}
      ${fileSize !== null && fact('Size', html`${bytesInWords(fileSize)}`)}
      ${mimeType !== null && fact('Type, as stated', untrusted(mimeType, 100))}
      ${fact('Received', timeInHtml(item.requestedAt))}
      ${timestamp !== null && fact('On the ledger', html`${timeInHtml(timestamp)}, ledger ${item.ledgerIndex ?? 0}`)}
      ${fact('Network', html`${networkOf(item)}`)}
      ${txHash !== null && fact('Transaction', html`${code(txHash)} ${addresses(item, txHash, root)}`)}
      ${fact('Scheme', code(item.hashScheme))}
      ${item.proofCommitment !== null && fact('Commitment on the ledger', code(item.proofCommitment))}
      ${fact('Signatures of validators', html`${item.evidence === 'attested' ? 'on record' : 'not on record yet'}`)}
      ${fact('Proof id', code(proofId))}
      ${documentId !== null && fact('Document id', code(documentId))}
      ${item.agentClassification !== null && classification(item.agentClassification, root)}
    </dl>
    ${
      documentId === null
        ? html`<p class="hint">Only the hash was sent. The service never had the file.</p>`
        : html`<p><a class="button" download href="${root}console/documents/${proofId}/file">Download the file</a></p>`
    }`;
}

function fact(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function code(text: string): Html {
  return html`<code>${text}</code>`;
}

function networkOf({ ledger, standalone }: DocumentData): string {
  if (standalone) return 'development ledger of this service: no evidential value';
  return ledger === 'mainnet' ? 'mainnet of the XRP Ledger' : 'testnet of the XRP Ledger';
}

function addresses({ standalone, verifyUrl }: DocumentData, txHash: string, root: string): Html {
  return html`<br><a href="${root}verify/${txHash}">Verify it here</a>
    ${!standalone && verifyUrl !== null && html` · <a rel="noreferrer" href="${verifyUrl}">${verifyUrl.slice(0, 42)}…</a>`}`;
}

function classification(given: NonNullable<DocumentData['agentClassification']>, root: string) {
  const { runId } = given;
  const run =
    typeof runId === 'string' &&
    html`run <a href="${root}console/runs/run?${new URLSearchParams({ id: runId }).toString()}">${untrusted(runId)}</a>`;
  return html`<div><dt>Filed by an agent</dt><dd>${run}
      <details><summary>Classification</summary><pre>${untrustedJson(given, 4_000)}</pre></details></dd></div>`;
}
