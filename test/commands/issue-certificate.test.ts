import { type Test, test } from 'tap';
import { certificates as certificatesProjection } from '../../projections/certificates/project.ts';
import { namedCertificates } from '../../projections/certificates/query.ts';
import { createCertificateMaker } from '../../src/certificates/certificate-maker.ts';
import { chooseAttestation } from '../../src/certificates/choose-attestation.ts';
import type { CertificateMaker } from '../../src/certificates/contract.ts';
import type { CertificateRenderer } from '../../src/certificates/pdf/certificate-renderer.ts';
import { renderCertificate } from '../../src/certificates/pdf/render-certificate.ts';
import {
  type CertificateSigner,
  createCertificateSigner,
} from '../../src/certificates/signature/certificate-signer.ts';
import { makeSigningKey, readSelfMadeKey } from '../../src/certificates/signature/self-made-key.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { type IssuingDeps, issueCertificate } from '../../src/commands/issue-certificate.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { orphanAfterMs } from '../../src/domain/blob/orphan.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { type CertifiedProof, certificatesOf } from '../../src/domain/proof/state.ts';
import { streams } from '../../src/domain/streams.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { createIssuerKeys } from '../../src/issuer/issuer-keys.ts';
import { rotateIssuerKey } from '../../src/issuer/rotate-issuer-key.ts';
import { loadRecordedAttestation } from '../../src/loading/load-recorded-attestation.ts';
import { UnprovenAnchors } from '../../src/loading/unproven-anchors.ts';
import { sweepBlobs } from '../../src/storage/sweep-blobs.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { awaitInclusion } from '../../src/transparency-log/inclusion/await-inclusion.ts';
import { CheckpointChoice } from '../../src/transparency-log/inclusion/checkpoint-choice.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { PublishedLog } from '../../src/transparency-log/published/published-log.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../src/verifier/check/check-attestation.ts';
import { listedKeys, newFolder, openFileStorage, readBlob } from '../support/blobs.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';
import { MemoryLogFiles } from '../support/memory-log-files.ts';
import { logSeed } from '../support/publishing-site.ts';
import { createScriptedAnchoring, randomDigest } from '../support/scripted-anchoring.ts';
import { createScriptedAttesting } from '../support/scripted-attesting.ts';
import { until } from '../support/until.ts';

const meta = { actor: 'operator' } as const;

/** A log with one completed proof, and a storage. `process` starts another process on both. */
async function createSite(t: Test, closeTimeIso?: string) {
  const { store, pool, db, keyring } = await createTestStore(t);
  const leaves = createLeaves(pool);
  const published = new PublishedLog(new MemoryLogFiles());
  const publisher = new Publisher({ store, leaves, history: db, published, seeds: [logSeed] });
  let publishing: Promise<unknown> = Promise.resolve();
  const turn = (work: () => Promise<unknown>) => {
    publishing = publishing.then(work);
    return publishing;
  };
  const made = { ...testDeps, store };
  await openLog(made, meta);
  const organisationId = await openOrganisation(made, { name: 'Ö', plan: 'enterprise' }, meta);
  const workspaceId = await createWorkspace(made, { organisationId, name: 'W' }, meta);
  const anchoring = await createScriptedAnchoring(store);
  const { proofId } = await requestProof(
    made,
    {
      ...{ organisationId, workspaceId, network: 'testnet', hashScheme: 'hmac-sha256-nonce-v3' },
      ...{ fileHash: randomDigest() as Digest, fileName: 'a.txt', fileSizeBytes: 1 },
      ...{ mimeType: null, description: null, respondAsync: false },
    },
    meta,
  );
  await anchoring.anchor(proofId, closeTimeIso);
  const folder = await newFolder(t);
  const process = async (changes: Partial<IssuingDeps> = {}) => {
    const storage = await openFileStorage(folder);
    const deps: IssuingDeps = {
      inclusionOf: async (position) => {
        await turn(() => publisher.publish());
        return awaitInclusion(
          { leaves, published, db, checkpoints: new CheckpointChoice(db, null) },
          position,
          0,
        );
      },
      ...{ store, storage, certificates: createCertificateMaker(here) },
      awaitAttestation: async () => {},
      timestamps: null,
      issuer: createIssuerKeys({ store, keyring }),
      ...{
        turns: createTurns(),
        unproven: new UnprovenAnchors(),
        fileWork: { during: (_, work) => work() },
        newId: newUlid,
        now: () => new Date(),
      },
      onLeftover: (trouble) => t.fail(String(trouble)),
      ...changes,
    };
    const order = {
      ...{ organisationId, proofId },
      addressesOf: ({ hash }: { readonly hash: string }) => ({
        verifier: null,
        verifyUrl: `https://testnet.xrpl.org/transactions/${hash}`,
        verifyPageUrl: `https://example.com/verify/${hash}`,
        publicApiUrl: `https://example.com/api/public/verify/${hash}`,
        explorerUrl: `https://testnet.xrpl.org/transactions/${hash}`,
      }),
    };
    return { deps, storage, issue: () => issueCertificate(deps, order, meta) };
  };
  const issued = () => store.readLog(0, 1_000, ['CertificateIssued']);
  const named = async () => {
    await prepareProjection(db, certificatesProjection);
    const position = await store.head();
    await catchUp({ db, store, projections: [certificatesProjection], position });
    return async (keys: Parameters<typeof namedCertificates>[1]) =>
      new Set(await namedCertificates(db, keys));
  };
  const attesting = createScriptedAttesting(store);
  return { store, keyring, pool, process, issued, named, proofId, attesting };
}

const keysOf = (proofs: readonly CertifiedProof[]) => [
  ...new Set(proofs.map(({ certificate }) => certificate.blobKey)),
];

/** Renders on the calling thread. */
const here: Pick<CertificateRenderer, 'choose' | 'render'> = {
  choose: async (_, transaction) => chooseAttestation(transaction),
  render: (_, content, bundle, roomBytes) => renderCertificate(content, bundle, roomBytes),
};

/** Makes new PDFs, but returns none before `count` are made, by all makers of the same step. */
function inStep(count: number): (maker: CertificateMaker) => CertificateMaker {
  const open = Promise.withResolvers<void>();
  let made = 0;
  return (maker) => ({
    ...maker,
    async newPdf(...args) {
      const pdf = await maker.newPdf(...args);
      made += 1;
      if (made === count) open.resolve();
      await open.promise;
      return pdf;
    },
  });
}

/** Signs PDFs with a new key of an operator. */
async function newSigner(): Promise<CertificateSigner> {
  const key = readSelfMadeKey(await makeSigningKey(new Date()));
  const silent = { onUnstamped: () => {}, onInvalid: () => {} };
  return createCertificateSigner({ key, stamp: null, now: () => new Date(), ...silent });
}

test('one of several concurrent processes issues the certificate, the others delete their PDFs', async (t) => {
  const { process, issued } = await createSite(t);
  const certificates = inStep(3)(createCertificateMaker(here));
  const processes = await Promise.all([1, 2, 3].map(() => process({ certificates })));
  const proofs = await Promise.all(processes.map(({ issue }) => issue()));
  t.equal((await issued()).length, 1);
  t.equal(keysOf(proofs).length, 1);
  const [one] = processes;
  const [proof] = proofs;
  if (!one || !proof) throw new Error('three were asked');
  t.strictSame(await listedKeys(one.storage), keysOf(proofs));
  const { blobKey, sizeBytes, pdfDigest } = proof.certificate;
  await readBlob(one.storage, blobKey, { sizeBytes, sha256: pdfDigest });
  t.strictSame((await one.issue()).certificate, proof.certificate);
});

test('a signing key replaced while a certificate is issued gives the same bytes for ever', async (t) => {
  const { process, issued, store } = await createSite(t);
  const step = inStep(2);
  const signers = [await newSigner(), await newSigner()];
  const processes = await Promise.all(
    signers.map((signer) => process({ certificates: step(createCertificateMaker(here, signer)) })),
  );
  const [one, other] = await Promise.all(processes.map(({ issue }) => issue()));
  const [{ storage, deps } = await process()] = processes;
  if (one === undefined || other === undefined) throw new Error('two were asked');
  t.strictSame(one.certificate, other.certificate, 'the two keys give one certificate');
  t.equal((await issued()).length, 1);
  const { certificate } = one;
  const { blobKey, sizeBytes, pdfDigest, pdfSignature } = certificate;
  t.ok(pdfSignature, 'it has the signature of the key that was first');
  const stored = await readBlob(storage, blobKey, { sizeBytes, sha256: pdfDigest });
  const later = await newSigner();
  const bundle = await bundleOf(deps.certificates, one, store);
  for (const signer of [...signers, later, null]) {
    const maker = createCertificateMaker(here, signer);
    t.ok(stored.equals(await maker.pdf(one, certificate, bundle, pdfSignature)));
  }
});

test('a process that dies between storing and appending leaves an orphan, which is swept', async (t) => {
  const { store, process, issued, named } = await createSite(t);
  const dying: EventStore = { ...store, append: () => new Promise(() => {}) };
  const dead = await process({ store: dying });
  void dead.issue();
  await until('the PDF is stored', async () => (await listedKeys(dead.storage)).length === 1);
  t.strictSame(await issued(), []);

  const { storage, issue } = await process();
  const { certificate } = await issue();
  t.equal((await issued()).length, 1);
  t.equal((await listedKeys(storage)).length, 2);
  const later = () => new Date(Date.now() + orphanAfterMs + 60_000);
  t.match(await sweepBlobs(storage, await named(), later), { seen: 2, deleted: 1 });
  t.strictSame(await listedKeys(storage), [certificate.blobKey], 'the issued PDF stays');
});

test('after an append with unknown outcome the PDF stays, since an event may name it', async (t) => {
  const { store, process, issued } = await createSite(t);
  for (const takesEffect of [false, true]) {
    const { issue, storage } = await process({
      store: {
        ...store,
        async append(...args) {
          if (takesEffect) await store.append(...args);
          throw new StoreUnavailable();
        },
      },
    });
    await t.rejects(issue(), StoreUnavailable);
    t.equal((await issued()).length, takesEffect ? 1 : 0);
    t.equal((await listedKeys(storage)).length, takesEffect ? 2 : 1);
  }
  const { issue, storage } = await process();
  const { certificate } = await issue();
  t.equal((await issued()).length, 1);
  const facts = { sizeBytes: certificate.sizeBytes, sha256: certificate.pdfDigest };
  await readBlob(storage, certificate.blobKey, facts);
});

test('a certificate is issued later than the close time of its ledger', async (t) => {
  const closeTimeIso = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 600_000).toISOString();
  const { process } = await createSite(t, closeTimeIso);
  const { certificate } = await (await process()).issue();
  t.equal(certificate.issuedAt, new Date(Date.parse(closeTimeIso) + 1_000).toISOString());
});

test('a process whose clock is behind issues no certificate before the records it certifies', async (t) => {
  const { process, store } = await createSite(t);
  const { issue } = await process({ now: () => new Date(Date.now() - 3_600_000) });
  const [anchoring] = (await store.readLog(0, 1_000, ['Anchored'])).slice(-1);
  const first = await issue();
  t.equal(first.certificate.issuedAt, anchoring?.recordedAt);
});

test('a successor is not issued before its predecessor, whatever the clock of its process', async (t) => {
  const { process, proofId, attesting } = await createSite(t);
  const ahead = new Date(Date.now() + 3_600_000);
  await (await process({ now: () => ahead })).issue();
  await attesting.attest(proofId);
  const { certificate, superseded } = await (await process()).issue();
  t.equal(superseded.length, 1);
  t.equal(certificate.issuedAt, ahead.toISOString());
});

test('a PDF stored too long before the append is deleted and not issued', async (t) => {
  const { process, issued } = await createSite(t);
  let now = Date.now();
  const { issue, storage, deps } = await process({ now: () => new Date(now) });
  const { put } = storage;
  deps.storage.put = async (...args) => {
    await put.apply(storage, args);
    now += 2 * 3_600_000;
  };
  await t.rejects(issue(), { name: 'BlobTooOld' });
  t.strictSame(await issued(), []);
  t.strictSame(await listedKeys(storage), []);
});

async function bundleOf(maker: CertificateMaker, proof: CertifiedProof, store: EventStore) {
  const attestation = await loadRecordedAttestation(store, proof);
  return maker.bundle(proof, proof.certificate, { attestation, timestamp: null });
}

const readBack = async (maker: CertificateMaker, proof: CertifiedProof, store: EventStore) =>
  readBundle(Buffer.from(await bundleOf(maker, proof, store)).toString());

test('a certificate that is issued after the attestation has the signatures of a quorum', async (t) => {
  for (const laterLedgers of [0, 300]) {
    const { process, store, proofId, attesting } = await createSite(t);
    await attesting.attest(proofId, laterLedgers);
    const { issue, deps } = await process();
    const proof = await issue();
    t.match(proof.certificate.attestation, { sequence: 1, validations: { length: 4 } });
    const bundle = await readBack(deps.certificates, proof, store);
    t.match(bundle, { version: 6, attestation: { validations: { length: 4 } } });
    const checks = checkAttestation(bundle, [attesting.network.publisherKey]);
    t.ok(isProvenByValidators(checks), `${laterLedgers} ledgers later`);
    t.strictSame((await issue()).superseded, [], 'needs no successor');
  }
});

test('a certificate issued before the attestation gets one successor from many processes', async (t) => {
  const { process, store, issued, proofId, attesting } = await createSite(t);
  const { issue } = await process();
  const bare = await issue();
  t.equal(bare.certificate.attestation, null);
  t.strictSame((await issue()).certificate, bare.certificate, 'the same before the attestation');
  await attesting.attest(proofId);
  const certificates = inStep(3)(createCertificateMaker(here));
  const processes = await Promise.all([1, 2, 3].map(() => process({ certificates })));
  const proofs = await Promise.all(processes.map((each) => each.issue()));
  t.equal((await issued()).length, 2);
  t.equal(keysOf(proofs).length, 1);
  for (const proof of [...proofs, await issue()]) {
    t.strictSame(certificatesOf(proof), [bare.certificate, proofs[0]?.certificate]);
  }
  const [one] = processes;
  if (!one) throw new Error('three were asked');
  t.strictSame(
    [...(await listedKeys(one.storage))].sort(),
    [bare, ...proofs.slice(0, 1)].map(({ certificate }) => certificate.blobKey).sort(),
    'the PDFs of both are kept, those of the losers are not',
  );
  const bundle = await readBack(one.deps.certificates, await issue(), store);
  t.match(bundle, { version: 6, attestation: Object });
  const before = { ...bare, certificate: bare.certificate };
  const first = await readBack(one.deps.certificates, before, store);
  t.match(first, { version: 6, attestation: null }, 'the first one stays');
});

test('a first certificate awaits the attestation, a successor does not', async (t) => {
  const { process, proofId, attesting } = await createSite(t);
  let waits = 0;
  const awaitAttestation = async () => {
    waits += 1;
    await attesting.attest(proofId);
  };
  const { issue } = await process({ awaitAttestation });
  const { certificate } = await issue();
  t.match(certificate.attestation, { sequence: 1 });
  await issue();
  t.equal(waits, 1);
});

test('signatures that prove nothing change no certificate', async (t) => {
  const { process, store, issued, proofId } = await createSite(t);
  let verified = 0;
  const maker = createCertificateMaker(here);
  const choose: CertificateMaker['choose'] = (...args) => {
    verified += 1;
    return maker.choose(...args);
  };
  const { issue } = await process({ certificates: { ...maker, choose } });
  const bare = await issue();
  t.equal(verified, 0);
  await createScriptedAttesting(store, { validators: 5, signing: 3 }).attest(proofId);
  for (let call = 0; call < 5; call += 1) {
    t.strictSame((await issue()).certificate, bare.certificate);
  }
  t.equal((await issued()).length, 1);
  t.equal(verified, 1, 'repeated calls verify nothing');
});

test('a certificate is issued without signatures if parts of them are malformed', async (t) => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const changes = [
    { leaves: '' },
    { leaves: base64('half a leaf') },
    { leaves: Buffer.alloc(128).toString('base64') },
    { validations: ['?'] },
    { validations: [base64('no validation')] },
    { manifests: [base64('no manifest')] },
  ];
  for (const change of changes) {
    const { process, store, proofId } = await createSite(t);
    await createScriptedAttesting(store, { change }).attest(proofId);
    const { certificate } = await (await process()).issue();
    t.equal(certificate.attestation, null, JSON.stringify(change));
  }
});

test('a certificate is issued without signatures if the recorded tree has another root', async (t) => {
  const { process, store, proofId } = await createSite(t);
  const { state } = await load(store, streams.proof(proofId), proofDecider);
  const transactionHash = state.status === 'completed' ? state.anchor.transactionHash : '';
  const other = 'A1'.repeat(64);
  const leaves = Buffer.from(`${transactionHash}${other.slice(64)}${other}`, 'hex').toString(
    'base64',
  );
  await createScriptedAttesting(store, { change: { leaves } }).attest(proofId);
  t.equal((await (await process()).issue()).certificate.attestation, null);
});

test('the bytes of a certificate are recorded with it, in clear', async (t) => {
  const { process, store } = await createSite(t);
  const { certificate } = await (await process()).issue();
  const { pdfDigest: sha256, issuerKey } = certificate;
  const [event, other] = (await store.readLog(0, 1_000)).slice(-2);
  t.match(
    [event, other],
    [
      { type: 'CertificateIssued', data: { issuerKey, issuerSignature: /^[\w+/]{86}==$/ } },
      { type: 'CertificateRecorded', stream: `certificate-${sha256}`, organisationId: null },
    ],
  );
  t.strictSame(other?.data, { sha256 });
});

test('a key that is replaced while a certificate is made signs no certificate after that', async (t) => {
  const { process, issued, store, keyring } = await createSite(t);
  const maker = createCertificateMaker(here);
  let rotated: { readonly retired: string; readonly published: string } | undefined;
  const { issue, storage } = await process({
    certificates: {
      ...maker,
      async newPdf(...args) {
        rotated ??= await rotateIssuerKey({ store, keyring }, null, meta);
        return maker.newPdf(...args);
      },
    },
  });
  const proof = await issue();
  t.equal(proof.certificate.issuerKey, rotated?.published);
  t.equal((await issued()).length, 1);
  t.strictSame(await listedKeys(storage), keysOf([proof]), 'the first PDF was deleted');
});

test('a bundle is made again byte for byte after its key was replaced', async (t) => {
  const { process, store, keyring, attesting, proofId } = await createSite(t);
  const { deps, issue } = await process();
  const first = await issue();
  const { retired, published } = await rotateIssuerKey({ store, keyring }, null, meta);
  const before = await readBack(deps.certificates, first, store);
  t.match(before, { version: 6, issuer: { note: /\/issuer / } });
  t.equal(first.certificate.issuerKey, retired);
  t.strictSame((await issue()).certificate, first.certificate, 'no successor merely for a new key');
  await attesting.attest(proofId);
  t.equal(
    (await issue()).certificate.issuerKey,
    published,
    'a successor is signed with the new one',
  );
});
