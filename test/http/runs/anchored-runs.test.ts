import { execFileSync } from 'node:child_process';
import { test } from 'tap';
import { decisionProofResponse, runResponse } from '../../../src/http/runs/run-schema.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { readDocument } from '../../support/documents.ts';
import { joinRunService, startRunService } from '../../support/run-service.ts';
import { until } from '../../support/until.ts';

const decisions = [
  { subject: 'a.pdf', action: 'protect', confidence: 0.97, é: '\u2028🎉' },
  { subject: 'b.tmp', action: 'skip', free: { y: [1e300, -0.5, 1e-7, 1e21], x: null, '': true } },
  { action: '' },
  {},
  { subject: 'e', action: 'skip' },
];
const sent = (workspace: string) => ({
  ...{ runId: 'nightly/1', workspace, mode: 'unattended', counts: { b: 2.5, a: [1, '€'] } },
  ...{ finishedAt: '2026-11-21T01:04:10+01:00', decisions, anchor: true },
});
const guide = readDocument('docs/api.md').blocks.find(({ language }) => language === 'python');
const path = (runId: string, rest = '') => `/agent/runs/${encodeURIComponent(runId)}${rest}`;

test('an anchored run has a queued proof of the SHA-256 of its statement', async (t) => {
  const { post, read, get, workspace, settle } = await joinRunService();
  const answer = await post(sent(workspace));
  t.equal(answer.status, 201);
  t.strictSame(runResponse.strict().parse(answer.body), answer.body);
  const { proof } = answer.body.data;
  const statement = await get(path('nightly/1', '/statement'));
  t.match(statement.headers.get('content-type'), /^application\/json/);
  const bytes = Buffer.from(statement.text);
  t.match(proof, {
    ...{ blockchainStatus: 'pending', fileHash: opensslDigest(bytes), proofNonce: null },
    ...{ fileName: 'nightly/1.json', mimeType: 'application/json', fileSize: bytes.length },
  });
  const { decisionsRootHash } = JSON.parse(statement.text);
  t.match(statement.body, {
    ...{ format: 'proofmark/agent-run', version: 1, runId: 'nightly/1', workspace, noOp: null },
    ...{ decisionsReported: 5, decisionsStored: 5, objective: null, coverage: {} },
  });
  t.notMatch(statement.text, /a\.pdf/, 'the statement contains no decision');
  await settle();
  t.strictSame((await read('nightly/1')).body.data.proof, proof);
  t.strictSame((await get(`/proofs/${proof.proofId}`)).body.data, proof);
  for (const [index, decision] of decisions.entries()) {
    const shown = await get(path('nightly/1', `/decisions/${index}`));
    t.equal(shown.status, 200);
    t.strictSame(decisionProofResponse.strict().parse(shown.body), shown.body);
    const { data } = shown.body;
    t.match(data, { decision, rootHash: decisionsRootHash, statement: statement.text, proof });
  }
  t.match(await get(path('nightly/1', '/decisions/5')), {
    status: 404,
    body: { code: 'RUN_NOT_FOUND' },
  });
  t.match(await get(path('nightly/1', '/decisions/-1')), { status: 400 });
});

test('a stranger recomputes statement, root and inclusion in Python', async (t) => {
  const { post, get, workspace } = await joinRunService();
  const [shown, altered, hashes]: [unknown[], unknown[], string[]] = [[], [], []];
  for (const count of [0, 1, 2, 3, 5, 8, 13]) {
    const some = Array.from({ length: count }, (_, n) => ({ subject: `ß${n}`, action: 'skip', n }));
    const runId = `tree of ${count}`;
    const run = { runId, workspace, counts: { n: count, é: 'a' }, decisions: some, anchor: true };
    const answer = await post(run);
    t.equal(answer.status, 201);
    const proofs = [];
    for (const index of some.keys()) {
      proofs.push((await get(path(runId, `/decisions/${index}`))).body.data);
    }
    const { data } = answer.body;
    const input = { run, proofs, fileHash: data.proof.fileHash, stated: data };
    for (const data of proofs) {
      const canonicalDecision = data.canonicalDecision.replace('skip', 'keep');
      const forged = { ...data, canonicalDecision, decision: JSON.parse(canonicalDecision) };
      shown.push({ success: true, data });
      altered.push({ data: forged });
      hashes.push(input.fileHash);
    }
    const judged = execFileSync('python3', ['-c', stranger], { input: JSON.stringify(input) });
    t.equal(judged.toString().trim(), `${count} of ${count}`, runId);
  }
  t.strictSame(runGuide(shown), hashes, 'the program of the guide');
  t.strictSame(runGuide(altered), Array(altered.length).fill(null), 'it refuses forged decisions');
});

/** What the program of the guide prints for each input, or null if it fails; all in one process. */
function runGuide(inputs: readonly unknown[]): readonly (string | null)[] {
  const input = JSON.stringify({
    program: guide?.text,
    inputs: inputs.map((one) => JSON.stringify(one)),
  });
  return JSON.parse(execFileSync('python3', ['-c', guideRunner], { input }).toString());
}

const guideRunner = `
import contextlib, io, json, sys
given = json.load(sys.stdin)
program = compile(given['program'], 'guide', 'exec')
def printed(text):
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out): exec(program, {'__name__': '__main__'})
    except AssertionError: return None
    return out.getvalue().strip()
print(json.dumps([printed(text) for text in given['inputs']]))
`;

/** Builds statement and tree from the report alone, recursively, as RFC 6962 defines them. */
const stranger = `
import hashlib, json, sys
given = json.load(sys.stdin)
sha = lambda data: hashlib.sha256(data).digest()
canonical = lambda value: json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode()
def split(n):
    k = 1
    while k * 2 < n: k *= 2
    return k
def tree(leaves):
    if not leaves: return sha(b'')
    if len(leaves) == 1: return sha(b'\\0' + leaves[0])
    k = split(len(leaves))
    return sha(b'\\1' + tree(leaves[:k]) + tree(leaves[k:]))
def root(leaf, m, n, path):
    if n == 1:
        assert not path
        return sha(b'\\0' + leaf)
    k, last, rest = split(n), bytes.fromhex(path[-1]), path[:-1]
    if m < k: return sha(b'\\1' + root(leaf, m, k, rest) + last)
    return sha(b'\\1' + last + root(leaf, m - k, n - k, rest))
run = given['run']
leaves = [canonical(each) for each in run['decisions']]
statement = {'format': 'proofmark/agent-run', 'version': 1, 'runId': run['runId'], 'workspace': run['workspace']}
for name in ['startedAt', 'finishedAt', 'mode', 'objective', 'trigger', 'network', 'noOp']: statement[name] = run.get(name)
for name in ['counts', 'coverage']: statement[name] = run.get(name, {})
for name in ['connectorsReached', 'connectorsUnreachable', 'unreadableGroups']: statement[name] = run.get(name, [])
statement['decisionsReported'] = statement['decisionsStored'] = len(leaves)
statement['decisionsRootHash'] = tree(leaves).hex()
assert sha(canonical(statement)).hex() == given['fileHash'], 'statement'
good = 0
for m, proof in enumerate(given['proofs']):
    assert sha(proof['statement'].encode()).hex() == proof['statementHash'] == given['fileHash']
    assert canonical(proof['decision']) == proof['canonicalDecision'].encode() == leaves[m]
    top = root(leaves[m], proof['decisionIndex'], proof['treeSize'], proof['hashes']).hex()
    good += top == json.loads(proof['statement'])['decisionsRootHash']
    forged = root(b'{}', m, proof['treeSize'], proof['hashes']).hex()
    assert forged != top, 'a forged decision has another root'
print(good, 'of', len(leaves))
`;

test('anchoring is idempotent with the run, also later and by several callers', async (t) => {
  const { post, service, read, workspace } = await startRunService(t);
  const run = { ...sent(workspace), anchor: undefined };
  const plain = await post(run);
  t.equal(plain.status, 201);
  t.notOk('proof' in plain.body.data, 'not anchored without being asked');
  t.notOk('proof' in (await read(run.runId)).body.data);
  const head = await service.store.head();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post({ ...run, anchor: true })),
  );
  const ids = new Set(answers.map(({ body }) => body.data.proof.proofId));
  t.equal(ids.size, 1, 'one proof for all calls');
  t.ok(answers.every(({ status, body }) => status === 200 && body.alreadyRecorded === true));
  t.equal(await service.store.head(), head + 3, 'request, queue and claim, and nothing else');
  const fresh = { ...run, runId: 'fresh', decisions: [{ action: 'skip' }], anchor: true };
  const first = await Promise.all(Array.from({ length: 10 }, () => post(fresh)));
  t.strictSame(first.map(({ status }) => status).sort(), [...Array(9).fill(200), 201]);
  t.equal(new Set(first.map(({ body }) => body.data.proof.proofId)).size, 1);
  t.equal(await service.store.head(), head + 7);
  t.equal((await post({ ...fresh, objective: 'o' })).status, 409);
  t.equal((await post({ ...fresh, anchor: false })).status, 200);
  t.equal(await service.store.head(), head + 7);
});

test('run and request are appended together or not at all', async (t) => {
  const { post, service, read, workspace } = await startRunService(t);
  const { store } = service;
  const { append } = store;
  const before = await store.head();
  let appends = 0;
  // Fails after taking effect, as when the process is killed before it answers.
  Object.assign(store, {
    append: async (...order: Parameters<typeof append>) => {
      appends += 1;
      if (appends === 1) throw new Error('killed before');
      const appended = await append.apply(store, order);
      if (appends === 2) throw new Error('killed after');
      return appended;
    },
  });
  t.teardown(() => Object.assign(store, { append }));
  const run = sent(workspace);
  t.equal((await post(run)).status, 500);
  t.equal(await store.head(), before, 'nothing of the run');
  t.equal((await read(run.runId)).status, 404);
  t.equal((await post(run)).status, 500);
  t.equal(await store.head(), before + 4, 'the run with its request');
  const again = await post(run);
  t.match(again, { status: 200, body: { alreadyRecorded: true } });
  t.equal(again.body.data.proof.blockchainStatus, 'pending');
  t.equal(await store.head(), before + 4, 'nothing is doubled');
});

test('a run without a workspace, or with one of others, is neither recorded nor anchored', async (t) => {
  const { post, service, read } = await joinRunService();
  const stranger = await service.openOrganisation();
  const refused = { status: 400, body: { code: 'INVALID_WORKSPACE' } };
  t.match(await post({ runId: 'none', anchor: true }), refused);
  t.match(await post({ runId: 'none', anchor: true, workspace: stranger.workspaceId }), refused);
  t.equal((await read('none')).status, 404);
  t.match(await post({ runId: 'none', anchor: 'yes' }), { status: 400 });
});

test('another organisation sees neither statement, nor decision, nor proof', async (t) => {
  const { post, service, workspace } = await joinRunService();
  const { data } = (await post({ ...sent(workspace), runId: 'mine' })).body;
  const { key } = await service.openOrganisation();
  for (const rest of ['/statement', '/decisions/0', '']) {
    const answer = await service.call('GET', path('mine', rest), { key });
    t.match(answer, { status: 404, body: { code: 'RUN_NOT_FOUND' } });
  }
  const proof = await service.call('GET', `/proofs/${data.proof.proofId}`, { key });
  t.match(proof, { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
});

test('the proof of a run completes, and what is anchored is the commitment to its statement', async (t) => {
  const { service, key, workspaceId } = await joinDocumentService();
  const answer = await service.call('POST', '/agent/runs', { key, json: sent(workspaceId) });
  t.equal(answer.status, 201);
  const { proofId } = answer.body.data.proof;
  const status = () => service.call('GET', `/proofs/${proofId}?includeSalt=true`, { key });
  const isCompleted = async () => (await status()).body.data.blockchainStatus === 'completed';
  await until('the proof completes', isCompleted);
  const { data } = (await status()).body;
  const statement = await service.call('GET', path('nightly/1', '/statement'), { key });
  const digest = Buffer.from(opensslDigest(Buffer.from(statement.text)), 'hex');
  const options = ['dgst', '-sha256', '-r', '-mac', 'HMAC', '-macopt', `hexkey:${data.proofNonce}`];
  const commitment = execFileSync('openssl', options, { input: digest }).toString().slice(0, 64);
  const verified = await service.call('GET', `/api/public/verify/${data.txHash}`);
  t.match(verified.body.data, { verified: true, memo: { fileHash: commitment } });
  const { proof } = (await service.call('GET', path('nightly/1'), { key })).body.data;
  t.match(proof, { proofId, blockchainStatus: 'completed', txHash: data.txHash, proofNonce: null });
});

test('worker threads anchor runs and serve exact bytes', async (t) => {
  const { post, get, workspace, service } = await startRunService(t, { threads: true });
  const answer = await post(sent(workspace));
  t.equal(answer.status, 201);
  const statement = await get(path('nightly/1', '/statement'));
  t.match(statement.headers.get('content-type'), /^application\/json/);
  t.equal(answer.body.data.proof.fileHash, opensslDigest(Buffer.from(statement.text)));
  t.equal((await get(path('nightly/1', '/decisions/4'))).status, 200);
  const head = await service.store.head();
  await awaitPosition(service.services.events.db, 'documents', head, { timeoutMs: 120_000 });
  const listed = await get('/documents?search=nightly');
  t.match(listed.body.data, [{ fileName: 'nightly/1.json' }]);
});

function opensslDigest(bytes: Buffer): string {
  const output = execFileSync('openssl', ['dgst', '-sha256', '-r'], { input: bytes });
  return output.toString().slice(0, 64);
}
