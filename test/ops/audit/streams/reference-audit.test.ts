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
  log.append('log-LOG', 'LogOpened', { logId: 'LOG' });
  add(`organisation-${owner}`, 'OrganisationOpened', { organisationId: owner });
  add('workspace-WORKSPACE', 'WorkspaceCreated', { workspaceId, organisationId: owner });
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
  add('links-PROOF', 'LinkCreated', { linkId: 'LINK', proofId });
  add('links-PROOF', 'LinkWithdrawn', { linkId: 'LINK', proofId });
  log.append('validators-testnet', 'ValidatorListPublished', { publisherKey: 'K', sequence: 1 });
  log.append('timestamp-1-ab', 'CheckpointTimestamped', {});
  const timestamp = { stream: 'timestamp-1-ab', hashes: [] };
  const evidence = { attestation: { publisherKey: 'K', sequence: 1 }, timestamp };
  add('proof-PROOF', 'CertificateIssued', { ledger: { ledgerId: '1' }, ...evidence });
  add('proof-PROOF', 'CertificateIssued', { ledger: null, attestation: null, timestamp: null });
  add('webhook-HOOK', 'WebhookRegistered', { webhookId: 'HOOK', organisationId: owner });
  for (const type of ['WebhookTestRequested', 'WebhookRetryRequested', 'WebhookRetriesRequested']) {
    add('sendings-HOOK', type, { webhookId: 'HOOK' });
  }
  add(`workspaces-${owner}`, 'WorkspacePlaceTaken', { workspaceId, taken: 1 });
  return log;
}

async function faultsIn(log: WrittenLog): Promise<readonly string[]> {
  const findings = new Findings();
  const audit = new ReferenceAudit(findings);
  for (const row of log.rows) if (referenceTypes.has(row.type)) await audit.add(row);
  audit.end();
  audit.close();
  return findings.report().faults.map(faultInWords);
}

test('everything that an event names exists in a sound log', async (t) => {
  t.strictSame(await faultsIn(sound()), []);
});

test('a reference into nowhere, to another organisation or a wrong count is a fault', async (t) => {
  const cases: readonly [string, object, RegExp][] = [
    ['HashClaimed', { proofId: 'NONE' }, /position 4 \(data\): proofId: no event begins the proof/],
    ['HashStored', { documentId: 'NONE' }, /position 5 \(data\): documentId: no event begins the/],
    ['HashStored', { proofId: 'NONE' }, /position 5 \(data\): proofId: no event begins the proof/],
    ['DocumentStored', { workspaceId: 'NONE' }, /position 6 .* begins the workspace NONE that/],
    ['ProofRequested', { document: { documentId: 'NONE' } }, /position 7 .* document NONE/],
    ['UnitReturned', { used: 2 }, /position 10 .* used: the value is 2, but 1 follows from the/],
    ['UnitReturned', { documentId: 'NONE' }, /position 10 .* document NONE/],
    ['NonceDelivered', { proofId: 'NONE' }, /position 11 .* proof NONE/],
    ['KeyPlaceTaken', { keyId: 'NONE' }, /position 13 .* key NONE/],
    ['SequencesTaken', { taken: [{ proofId: 'NONE' }] }, /position 15 .* proof NONE/],
    ['AnchorPrepared', { ledgerId: 'NONE' }, /position 16 .* ledger NONE/],
    ['WorkspacePlaceTaken', { workspaceId: 'NONE' }, /position 27 .* workspace NONE/],
    ['WebhookTestRequested', { webhookId: 'NONE' }, /position 24 .* webhook NONE/],
    ['WebhookRetryRequested', { webhookId: 'NONE' }, /position 25 .* webhook NONE/],
    ['WebhookRetriesRequested', { webhookId: 'NONE' }, /position 26 .* webhook NONE/],
    ['LinkWithdrawn', { linkId: 'NONE' }, /position 18 .* begins the link NONE that/],
    ['CertificateIssued', { ledger: { ledgerId: '2' } }, /position 22 .* ledger 2 that/],
    ['CertificateIssued', { timestamp: { stream: 'x' } }, /position 22 .* time-stamp token x/],
    [
      'CertificateIssued',
      { attestation: { publisherKey: 'K', sequence: 2 } },
      /position 22 .* begins the validator list K 2 that/,
    ],
    ['LogOpened', { logId: 'OTHER' }, /position 1 .* stream of the log OTHER has another name/],
    ['WorkspaceCreated', { organisationId: 'NONE' }, /position 3 .* organisation NONE that/],
    ['KeyIssued', { keyId: 'OTHER' }, /position 12 .* stream of the key OTHER has another name/],
  ];
  for (const [type, change, expected] of cases) {
    const log = sound();
    log.rewrite(type, change);
    const faults = await faultsIn(log);
    t.match(faults[0], expected, type);
  }
  const foreign = sound();
  foreign.append('hash-WORKSPACE-y', 'HashClaimed', { proofId }, other);
  t.match(await faultsIn(foreign), [
    /^references position 28 \(data\): proofId: the proof PROOF .* belongs to another organisation$/,
  ]);
});

test('a second beginning is a fault, and the first owner counts', async (t) => {
  const again = sound();
  again.append('workspace-WORKSPACE', 'WorkspaceCreated', { workspaceId }, other);
  again.append('workspace-WORKSPACE', 'WorkspaceRenamed', { workspaceId }, other);
  again.append('document-x', 'RevisionChained', { documentId }, owner);
  t.match(await faultsIn(again), [
    /^references position 28 \(data\): workspaceId: an earlier event begins the workspace WORKSPACE already$/,
    /^references position 30 \(data\): documentId: an earlier event begins the document DOCUMENT already$/,
    /^references position 29 .* the workspace WORKSPACE .* belongs to another organisation$/,
  ]);
  const networks = sound();
  networks.append('validators-mainnet', 'ValidatorListPublished', {
    ...{ publisherKey: 'K', sequence: 1 },
  });
  t.strictSame(await faultsIn(networks), [], 'two networks may have the same list');
});
