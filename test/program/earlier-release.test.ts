import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { extractBundle } from '../../src/verifier/bundle/extract-bundle.ts';
import { postProof } from '../support/api-client.ts';
import { fetchBundle, fetchCertificate } from '../support/certificate-client.ts';
import { ops, opsJson } from '../support/operator.ts';
import { countEvents, startProgram } from '../support/program.ts';
import { restoreDataDir } from '../support/restore-data-dir.ts';
import { until } from '../support/until.ts';

/** Answers of a release, recorded just before it was stopped. */
interface Answers {
  readonly publicUrl: string;
  readonly key: string;
  readonly proofId: string;
  /** Path of the proof's stored certificate, below DATA_DIR. */
  readonly certificate: string;
  readonly documentId: string;
  /** The content of the document's file. */
  readonly documentText: string;
  readonly webhook: string;
  /** Response bodies by path. */
  readonly answers: Readonly<Record<string, EarlierAnswer>>;
}

interface EarlierAnswer {
  readonly data: object;
}

/** A listed proof of a hash or of a document. */
interface KnownHash {
  readonly documentId: string | null;
  readonly fileHash: string;
  readonly workspace: string;
}

/** A run with a decision to protect no longer shows that it protected nothing. */
function withChanges(path: string, { data, ...before }: EarlierAnswer): object {
  return { ...before, data: path === '/agent/runs/r1' ? { ...data, noOp: false } : data };
}

const samples = join(import.meta.dirname, 'samples');

for (const release of ['data-dir-0.1.0']) {
  test(`the DATA_DIR and the export of an earlier release open unchanged: ${release}`, async (t) => {
    const sample = join(samples, release);
    const kept = JSON.parse(await readFile(join(sample, 'answers.json'), 'utf8')) as Answers;
    const env = {
      DATA_DIR: await restoreDataDir(t, sample),
      PUBLIC_URL: kept.publicUrl,
      CHECKPOINT_ANCHOR_INTERVAL_MS: '1000',
    };
    const { address } = await startProgram(t, env);
    const caller = { address, key: kept.key, workspace: '' };
    const headers = { authorization: `Bearer ${kept.key}` };
    const get = (path: string) => fetch(`${address}/api/v1${path}`, { headers });
    for (const [path, before] of Object.entries(kept.answers)) {
      // Answers may gain members within a version.
      t.match(await (await get(path)).json(), withChanges(path, before), path);
    }
    const { data: webhooks } = (await (await get('/webhooks')).json()) as { data: object[] };
    t.match(webhooks, [{ url: kept.webhook }]);
    const { data: listed } = kept.answers['/documents'] as { data: KnownHash[] };
    const known = listed.find(({ documentId }) => documentId === null);
    if (known === undefined) throw new Error('the sample has a hash without a document');
    const again = await postProof({ ...caller, workspace: known.workspace }, known.fileHash);
    t.match(again, { status: 200, body: { alreadyProven: true, data: { proofNonce: null } } });
    const file = await get(`/documents/${kept.documentId}/file`);
    t.equal(await file.text(), kept.documentText, 'stored bytes are decrypted');

    const issued = join(env.DATA_DIR, kept.certificate);
    const certificate = await readFile(issued);
    const { bytes } = await fetchCertificate(caller, kept.proofId);
    t.ok(bytes.equals(certificate), 'the certificate has its original bytes');
    await rm(issued);
    const rendered = await fetchCertificate(caller, kept.proofId);
    t.ok(rendered.bytes.equals(certificate), 'rendered again, it has the same bytes');
    const bundle = await fetchBundle(caller, kept.proofId);
    t.equal(bundle.bytes.toString(), await extractBundle(certificate), 'and the same bundle');

    const document = `/documents/${kept.documentId}/file`;
    const filesBefore = await filesIn(env.DATA_DIR);
    t.ok(filesBefore.some((name) => !name.endsWith('.enc')));
    t.match(await opsJson(t, env, 'storage', 'encrypt'), { damaged: [] });
    const filesAfter = await filesIn(env.DATA_DIR);
    t.strictSame(
      filesAfter,
      filesBefore.map((name) => `${name.replace('.enc', '')}.enc`).sort(),
      'every file is encrypted, beside the running service',
    );
    t.equal(await (await get(document)).text(), kept.documentText);
    t.match(await opsJson(t, env, 'storage', 'encrypt'), { encrypted: 0, damaged: [], unnamed: 0 });

    const exported = join(env.DATA_DIR, 'history.ndjson');
    t.match(await ops(t, env, 'audit', 'export', '--out', exported), { code: 0 });
    const before = await readFile(join(sample, 'history.ndjson'));
    const after = await readFile(exported);
    t.ok(
      after.subarray(0, before.length).equals(before),
      'the export begins with that of the earlier release',
    );
    const anchoredBefore = before.toString().split('"type":"CheckpointAnchored"').length - 1;
    await until('a checkpoint of the continued log is anchored', async () => {
      return (await countEvents(env.DATA_DIR, 'CheckpointAnchored')) > anchoredBefore;
    });
    const recorded = { faults: [], events: 53 };
    const from = ['--from', join(sample, 'history.ndjson')];
    t.match(await opsJson(t, env, 'audit', 'verify', ...from), recorded);
    // The program has recorded the list of the standalone ledger's validators since, if it was in time.
    const { faults, events } = await opsJson(t, env, 'audit', 'verify');
    t.strictSame(faults, []);
    t.ok(Number(events) >= recorded.events, 'no event is missing');
  });
}

/** Names of the stored files of organisations. */
async function filesIn(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'files'), { recursive: true });
  return names.filter((name) => /^[0-9A-Z]{26}\/\w+/.test(name)).sort();
}
