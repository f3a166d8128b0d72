import type pg from 'pg';
import tap, { test } from 'tap';
import { auditSite } from '../../support/audit-site.ts';
import {
  checkpointSizes,
  createAuditedSite,
  logSize,
  withoutConstraints,
} from '../../support/audited-site.ts';
import { mutateRows } from '../../support/log-mutations.ts';
import { runCount } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';

const site = await createAuditedSite(tap);
const mutationCount = runCount(2, 6);

test('an audit of a randomly damaged log completes and reports faults', async (t) => {
  const draw = seededRandom(t);
  const random = { below: (count: number) => Math.floor(draw() * count) };
  const size = checkpointSizes.at(-1) ?? 0;
  for (let n = 0; n < mutationCount; n += 1) {
    const names: string[] = [];
    const damaged = await site.copy(t);
    const mutate = async (client: pg.ClientBase) => {
      names.push(await mutateRows(client, random, { size, beyond: logSize - size }));
    };
    await damaged.tamper(withoutConstraints, mutate);
    // A further change may fail because its target is already gone.
    for (let times = random.below(3); times > 0; times -= 1) {
      await damaged.tamper(mutate).catch(() => names.push('nothing'));
    }
    const { lines } = await auditSite(damaged);
    t.ok(lines.length > 0, `${n}: ${names.join('; ')}`);
  }
});
