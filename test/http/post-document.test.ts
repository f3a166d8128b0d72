import { test } from 'tap';
import { documentResponse } from '../../src/http/document-schema.ts';
import { startDocumentService } from '../support/document-service.ts';
import { sha256, someText } from '../support/forms.ts';
import { anchoredAt } from '../support/scripted-anchoring.ts';

test('an upload is kept and proven: 201 with the document, its proof and the nonce', async (t) => {
  const { upload, workspace, files, get } = await startDocumentService(t);
  const bytes = someText();
  const before = Date.now();
  const { status, body, headers } = await upload(
    { name: 'Vertrag – Entwurf.txt', bytes, type: 'text/plain' },
    { description: 'Entwurf für Zoë' },
  );
  t.equal(status, 201);
  t.strictSame(documentResponse.strict().parse(body), body);
  const { proofId, documentId, proofNonce, proofCommitment, txHash, uploadedAt, ...rest } =
    body.data;
  t.strictSame(rest, {
    verifyUrl: `https://testnet.xrpl.org/transactions/${txHash}`,
    certPath: `/api/v1/certificates/${proofId}`,
    ledger: 'testnet',
    ledgerIndex: 101,
    timestamp: anchoredAt.closeTimeIso,
    hashScheme: 'hmac-sha256-nonce-v3',
    blockchainStatus: 'completed',
    fileName: 'Vertrag – Entwurf.txt',
    fileHash: sha256(bytes),
    fileSize: bytes.length,
    mimeType: 'text/plain',
    description: 'Entwurf für Zoë',
    workspace,
    revision: 1,
    rootDocumentId: documentId,
    previousDocumentId: null,
    previousTxHash: null,
    agentClassification: null,
  });
  t.match(proofNonce, /^[0-9a-f]{64}$/);
  t.match(proofCommitment, /^[0-9a-f]{64}$/);
  t.ok(Date.parse(uploadedAt) >= before - 1_000 && Date.parse(uploadedAt) <= Date.now() + 1_000);
  t.equal(headers.get('cache-control'), 'no-store');
  const { kept, staged } = await files();
  t.equal(kept.length, 1);
  t.strictSame(staged, []);

  const shown = await get(`/documents/${documentId}`);
  t.match(shown, { status: 200 });
  t.strictSame(shown.body, { success: true, data: { ...body.data, proofNonce: null } });
  const list = await get('/documents');
  t.strictSame(list.body.data, [shown.body.data]);
  t.strictSame(list.body.meta, { page: 1, limit: 20, total: 1 });
});
