import { test } from 'tap';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { ReferenceAudit, referenceTypes } from '../../../../ops/audit/streams/reference-audit.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const owner = '01M7XT7V10RJ1CFD26ZBSKQXP6';
const other = '01M7XT7V10RJ1CFD26ZBSKQXP5';
const [proofId, documentId, workspaceId] = ['PROOF', 'DOCUMENT', 'WORKSPACE'];

/** A log in which everything that is named exists. */
function sound(): WrittenLog {
  const log = new WrittenLog();
  const add = (stream: string, type: string, data: object) => log.append(stream, type, data, owner);
  add('workspace-WORKSPACE', 'WorkspaceCreated', { workspaceId });
  // As in an upload: the hash names the proof and the document, which follow.
  add('hash-WORKSPACE-x', 'HashClaimed', { proofId });
  add('hash-WORKSPACE-x', 'HashStored', { documentId, proofId: null });
  add('document-DOCUMENT', 'DocumentStored', { documentId, proofId, workspaceId });
  const document = { documentId, rootDocumentId: documentId, previousProofId: null };
  add('proof-PROOF', 'ProofRequested', { proofId, workspaceId, document });
  add('allowance-x-2030-01', 'UnitTaken', { documentId, used: 1 });
  add('allowance-x-2030-01', 'UnitTaken', { documentId, used: 2 });
  add('allowance-x-2030-01', 'UnitReturned', { documentId, used: 1 });
  add('nonce-PROOF', 'NonceDelivered', { proofId });
  add('key-KEY', 'KeyIssued', { keyId: 'KEY' });
  add(`keys-${owner}`, 'KeyPlaceTaken', { keyId: 'KEY', taken: 1 });
  log.append('ledger-1', 'LedgerJoined', { ledgerId: '1' });
  log.append('account-1-r', 'SequencesTaken', { taken: [{ sequence: 1, proofId }] });
  add('proof-PROOF', 'AnchorPrepared', { ledgerId: '1' });
  return log;
}

function faultsIn(log: WrittenLog): readonly string[] {
  const findings = new Findings();
  const audit = new ReferenceAudit(findings);
  for (const row of log.rows) if (referenceTypes.has(row.type)) audit.add(row as never);
  audit.end();
  audit.close();
  return findings.report().faults.map(faultInWords);
}

test('everything that an event names exists in a sound log', async (t) => {
  t.strictSame(faultsIn(sound()), []);
});

test('a reference into nowhere, to another organisation or a wrong count is a fault', async (t) => {
  const cases: readonly [string, object, RegExp][] = [
    ['HashClaimed', { proofId: 'NONE' }, /position 2 \(data\): proofId: no event begins the proof/],
    ['HashStored', { documentId: 'NONE' }, /position 3 \(data\): documentId: no event begins the/],
    ['HashStored', { proofId: 'NONE' }, /position 3 \(data\): proofId: no event begins the proof/],
    ['DocumentStored', { workspaceId: 'NONE' }, /position 4 .* begins the workspace NONE that/],
    ['ProofRequested', { document: { documentId: 'NONE' } }, /position 5 .* document NONE/],
    ['UnitReturned', { used: 2 }, /position 8 .* used: the value is 2, but 1 follows from the/],
    ['UnitReturned', { documentId: 'NONE' }, /position 8 .* document NONE/],
    ['NonceDelivered', { proofId: 'NONE' }, /position 9 .* proof NONE/],
    ['KeyPlaceTaken', { keyId: 'NONE' }, /position 11 .* key NONE/],
    ['SequencesTaken', { taken: [{ proofId: 'NONE' }] }, /position 13 .* proof NONE/],
    ['AnchorPrepared', { ledgerId: 'NONE' }, /position 14 .* ledger NONE/],
    ['KeyIssued', { keyId: 'OTHER' }, /position 10 .* stream of the key OTHER has another name/],
  ];
  for (const [type, change, expected] of cases) {
    const log = sound();
    log.rewrite(type, change);
    const faults = faultsIn(log);
    t.match(faults[0], expected, type);
  }
  const foreign = sound();
  foreign.append('hash-WORKSPACE-y', 'HashClaimed', { proofId }, other);
  t.match(faultsIn(foreign), [
    /^references position 15 \(data\): proofId: the proof PROOF .* belongs to another organisation$/,
  ]);
});
