import { bytesInWords } from '../../../domain/bytes-in-words.ts';
import type { CertificateData } from '../../../views/certificate-view.ts';
import type { DocumentData } from '../../../views/document-schema.ts';
import { listCertificates } from '../../certificates/list-certificates.ts';
import type { ApiDeps } from '../console-api.ts';
import { tokenField } from '../console-page.ts';
import type { ViewRequest } from '../console-route.ts';
import { type Html, html, timeInHtml } from '../html.ts';

/** Certificates shown, the newest ones. */
const most = 10;

/** The issued certificates with their bundles, and the form that issues one. */
export async function certificatesPart(
  request: ViewRequest,
  deps: ApiDeps,
  { proofId, blockchainStatus, evidence }: DocumentData,
): Promise<Html> {
  const { viewer, root } = request;
  const { data } = await deps.consoleApi.ask<{ readonly data: readonly CertificateData[] }>(
    request,
    listCertificates,
    { params: { proofId } },
  );
  const newest = data.at(-1);
  const isOwner = viewer.person.role === 'owner';
  const isDue = newest === undefined || (newest.evidence === 'pending' && evidence === 'attested');
  const form =
    blockchainStatus === 'completed' &&
    isDue &&
    html`<form method="post" action="${root}console/documents/${proofId}/certificate">
        ${tokenField(viewer.formToken)}
        <p class="actions"><button>${newest === undefined ? 'Issue the certificate' : 'Issue one with the signatures'}</button></p>
      </form>`;
  return html`<h2>Certificate</h2>
    <p class="hint">A PDF for anybody who has the file, and the proof bundle for programs. If the proof has a
    nonce, both contain it: keep them confidential. To show the proof to the public, share a link instead.</p>
    ${
      data.length > 0
        ? html`<ul class="rows">${data
            .toReversed()
            .slice(0, most)
            .map((one) => row(one, proofId, root))}</ul>`
        : html`<p>${nothing(blockchainStatus, isOwner)}</p>`
    }
    ${isOwner && form}`;
}

function row(
  { number, issuedAt, evidence, sizeBytes }: CertificateData,
  proofId: string,
  root: string,
): Html {
  const path = `${root}console/documents/${proofId}`;
  return html`<li><p>Certificate ${number} · ${timeInHtml(issuedAt)}
      ${evidence === 'attested' && html`<span class="badge badge-valid">with signatures of validators</span>`}</p>
      <p class="row"><a download href="${path}/certificate?number=${number}">Download the PDF<span class="unseen"> of certificate ${number}</span></a>
        <span class="hint">${bytesInWords(sizeBytes)}</span>
        <a download href="${path}/bundle?number=${number}">Download the bundle<span class="unseen"> of certificate ${number}</span></a>
        <a download href="${path}/bundle?number=${number}&amp;share=true">Bundle without the nonce<span class="unseen"> of certificate ${number}</span></a></p></li>`;
}

function nothing(status: DocumentData['blockchainStatus'], isOwner: boolean): string {
  if (status !== 'completed') return 'It can be issued once the proof is on the ledger.';
  return isOwner ? 'None was issued yet.' : 'None was issued yet. An owner can issue one.';
}
