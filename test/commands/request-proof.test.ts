import { test } from 'tap';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { endWait } from '../../src/commands/end-wait.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { type ProofOrder, requestProof } from '../../src/commands/request-proof.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { streams } from '../../src/domain/streams.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { joinTestStore, testDeps } from '../support/event-store.ts';

const meta = { actor: 'api' } as const;

async function start() {
  const { store } = await joinTestStore();
  const deps = { ...testDeps, store };
  await openLog(deps, meta);
  const opened = { name: 'Acme', plan: 'professional' } as const;
  const organisationId = await openOrganisation(deps, opened, meta);
  const workspaceId = await createWorkspace(deps, { organisationId, name: 'Archive' }, meta);
  const order: ProofOrder = {
    organisationId,
    workspaceId,
    network: 'testnet',
    hashScheme: 'hmac-sha256-nonce-v3',
    fileHash: 'ab'.repeat(32) as Digest,
    fileName: null,
    fileSizeBytes: null,
    mimeType: null,
    description: null,
    respondAsync: false,
  };
  return { deps, store, order };
}

test('one of 50 concurrent requests creates the proof, the others join it', async (t) => {
  const { deps, order } = await start();
  const requests = Array.from({ length: 50 }, () => requestProof(deps, order, meta));
  const answers = await Promise.all(requests);
  t.equal(new Set(answers.map(({ proofId }) => proofId)).size, 1);
  t.equal(answers.filter(({ created }) => created).length, 1);
  for (const { created, state } of answers)
    t.equal(state?.status ?? null, created ? null : 'pending');
});

test('joining a proof that is rolled back at that moment creates a new proof', async (t) => {
  const { deps, store, order } = await start();
  const first = await requestProof(deps, order, meta);
  let reads = 0;
  const interleaved: EventStore = {
    ...store,
    async readStream(stream) {
      // The hash was read as claimed. The first caller's wait ends before the proof is read.
      if (stream === streams.proof(first.proofId) && reads++ === 0) {
        await endWait(store, first.proofId, meta);
      }
      return store.readStream(stream);
    },
  };
  const second = await requestProof({ ...deps, store: interleaved }, order, meta);
  t.equal(reads, 1);
  t.equal(second.created, true);
  t.not(second.proofId, first.proofId);
});
