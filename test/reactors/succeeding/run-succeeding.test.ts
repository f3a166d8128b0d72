import { type Test, test } from 'tap';
import type { DueProof } from '../../../src/domain/proof/due-proof.ts';
import type { CertifiedProof } from '../../../src/domain/proof/state.ts';
import type { OrganisationId, ProofId } from '../../../src/domain/ulid.ts';
import { runSucceeding } from '../../../src/reactors/succeeding/run-succeeding.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const issued = { certificate: { attestation: {} } } as CertifiedProof;
const bare = { certificate: { attestation: null } } as CertifiedProof;

/** Due proofs that stay due until the test says otherwise, on a clock that the test moves. */
function createSite(t: Test, issue: (proof: DueProof) => Promise<CertifiedProof>) {
  const site = {
    due: new Set<string>(),
    isHeld: true,
    isDatabaseAway: false,
    nowMs: 0,
    looks: 0,
    holds: 0,
    releases: 0,
    clockReads: 0,
    calls: [] as string[],
    errors: [] as unknown[],
  };
  const stop = runSucceeding({
    due: async (limit, except) => {
      if (site.isDatabaseAway) throw new Error('the database is away');
      site.looks += 1;
      const wanted = [...site.due].filter((id) => !except.includes(id as ProofId));
      return wanted
        .slice(0, limit)
        .map((id) => ({ proofId: id as ProofId, organisationId, lacksSignatures: true }));
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
      release: async () => {
        site.releases += 1;
      },
    },
    onError: (error) => site.errors.push(error),
    everyMs: 5,
    clock: () => {
      site.clockReads += 1;
      return site.nowMs;
    },
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

test('asks for the lock before each page, and ends when another process has it', async (t) => {
  const { site } = createSite(t, async () => {
    if (site.calls.length === 70) site.isHeld = false;
    return issued;
  });
  for (let number = 0; number < 200; number += 1) site.due.add(`P${number}`);
  await until('two pages are done', async () => site.calls.length >= 100);
  const { holds } = site;
  await until('it has asked for the lock again', async () => site.holds > holds + 2);
  t.equal(site.calls.length, 100);
});

test('rests after three failures in a row, longer each time, and gives up the lock', async (t) => {
  let isAway = true;
  const { site, looked } = createSite(t, async () => {
    if (isAway) throw new Error('the storage is away');
    return issued;
  });
  for (let number = 0; number < 120; number += 1) site.due.add(`P${number}`);
  const turned = async () => {
    const { clockReads } = site;
    await until('more turns have begun', async () => site.clockReads > clockReads + 3);
  };
  const tried = async (count: number) => {
    await until(`${count} were tried`, async () => site.releases === count / 3);
    t.equal(site.calls.length, count);
  };
  await tried(3);
  site.nowMs = 1_999;
  await turned();
  await tried(3);
  site.nowMs = 2_000;
  await tried(6);
  site.nowMs = 5_999;
  await turned();
  await tried(6);
  site.nowMs = 6_000;
  await tried(9);
  t.equal(new Set(site.calls).size, 9, 'others each time');
  isAway = false;
  site.nowMs = 60_000;
  await until('all are issued', async () => site.calls.length >= 9 + 120);
  await looked();
  t.equal(site.calls.length, 9 + 120);
  t.equal(site.releases, 3);
});

test('a failure to find due proofs gives up the lock too', async (t) => {
  const { site, stop } = createSite(t, async () => issued);
  site.isDatabaseAway = true;
  await until('the lock is given up', async () => site.releases === 1);
  t.match(site.errors, [/the database is away/]);
  await stop();
});

test('a process that stops lets another one go on at once', async (t) => {
  const { url } = await createTestDatabase(t);
  const start = () => {
    const locks = openWorkLocks(url);
    t.teardown(() => locks.close());
    const done: string[] = [];
    const due = new Set<ProofId>();
    const stop = runSucceeding({
      due: async (_, except) =>
        [...due].flatMap((proofId) =>
          except.includes(proofId) ? [] : [{ proofId, organisationId, lacksSignatures: true }],
        ),
      issue: async ({ proofId }) => {
        done.push(proofId);
        return issued;
      },
      locks,
      onError: (error) => t.fail(String(error)),
      everyMs: 5,
    });
    t.teardown(stop);
    return { due, done, stop };
  };
  const one = start();
  one.due.add('P1' as ProofId);
  await until('the first one works', async () => one.done.length === 1);
  const other = start();
  other.due.add('P2' as ProofId);
  await one.stop();
  await until('the other one works', async () => other.done.length === 1);
});
