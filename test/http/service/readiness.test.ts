import { test } from 'tap';
import { documents } from '../../../projections/documents/project.ts';
import { readinessOf } from '../../../src/http/service/readiness.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { createTestStore } from '../../support/event-store.ts';
import { createScriptedGateway } from '../../support/scripted-gateway.ts';

test('many questions about readiness at once look at the database once', async (t) => {
  const { db, store } = await createTestStore(t);
  await prepareProjection(db, documents);
  const heads = t.capture(store, 'head', store.head);
  let paused: 'trouble' | null = null;
  const readiness = readinessOf({
    ...{ db, store, projections: [documents] },
    commits: async () => null,
    network: { gateway: createScriptedGateway('testnet'), paused: () => paused },
  });
  const answers = await Promise.all(Array.from({ length: 100 }, readiness));
  t.strictSame(answers.flat(), []);
  t.equal(heads().length, 1);
  paused = 'trouble';
  t.strictSame(await readiness(), ['anchoring: failing; retrying'], 'a pause is told at once');
});
