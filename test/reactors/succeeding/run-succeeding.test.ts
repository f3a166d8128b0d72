import { type Test, test } from 'tap';
import type { CertifiedProof } from '../../../src/domain/proof/state.ts';
import type { OrganisationId, ProofId } from '../../../src/domain/ulid.ts';
import { type DueProof, runSucceeding } from '../../../src/reactors/succeeding/run-succeeding.ts';
import { until } from '../../support/until.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const issued = { certificate: { attestation: {} } } as CertifiedProof;
const bare = { certificate: { attestation: null } } as CertifiedProof;

/** Due proofs that stay due until the test says otherwise, on a clock that the test moves. */
function createSite(t: Test, issue: (proof: DueProof) => Promise<CertifiedProof>) {
  const site = {
    due: new Set<string>(),
    isHeld: true,
    nowMs: 0,
    looks: 0,
    holds: 0,
    calls: [] as string[],
    errors: [] as unknown[],
  };
  const stop = runSucceeding({
    due: async (limit, except) => {
      site.looks += 1;
      const wanted = [...site.due].filter((id) => !except.includes(id as ProofId));
      return wanted.slice(0, limit).map((id) => ({ proofId: id as ProofId, organisationId }));
    },
    issue: (proof) => {
      site.calls.push(proof.proofId);
      return issue(proof);
    },
    locks: {
      hold: async () => {
        site.holds += 1;
        return site.isHeld ? 1 : null;
      },
    },
    onError: (error) => site.errors.push(error),
    everyMs: 5,
    clock: () => site.nowMs,
  });
  t.teardown(stop);
  const looked = async () => {
    const { looks } = site;
    await until('it has looked again', async () => site.looks > looks + 1);
  };
  return { site, looked, stop };
}

test('issues each successor once, although the read model lags behind', async (t) => {
  const { site, looked } = createSite(t, async () => issued);
  for (let number = 0; number < 120; number += 1) site.due.add(`P${number}`);
  await until('all are issued', async () => site.calls.length >= 120);
  await looked();
  t.equal(site.calls.length, 120);
  t.equal(new Set(site.calls).size, 120);
  t.strictSame(site.errors, []);
});

test('tries again after a pause that doubles, and goes on with the others meanwhile', async (t) => {
  const { site, looked } = createSite(t, async ({ proofId }) => {
    if (proofId === 'P1') throw new Error('the storage is away');
    return proofId === 'P2' ? bare : issued;
  });
  for (const id of ['P1', 'P2', 'P3']) site.due.add(id);
  await looked();
  t.strictSame([...site.calls].sort(), ['P1', 'P2', 'P3']);
  t.match(site.errors, [/the storage is away/, { name: 'UnprovenAnchor' }]);
  site.due.delete('P3');
  site.nowMs = 9_999;
  await looked();
  t.equal(site.calls.length, 3);
  site.nowMs = 10_000;
  await looked();
  t.equal(site.calls.length, 5);
  site.nowMs = 29_999;
  await looked();
  t.equal(site.calls.length, 5, 'twice as long');
  site.nowMs = 30_000;
  await looked();
  t.equal(site.calls.length, 7);
});

test('does nothing while another process works', async (t) => {
  const { site, looked } = createSite(t, async () => issued);
  site.isHeld = false;
  site.due.add('P1');
  const { holds } = site;
  await until('it has asked for the lock again', async () => site.holds > holds + 2);
  t.strictSame(site.calls, []);
  site.isHeld = true;
  await looked();
  t.strictSame(site.calls, ['P1']);
});
