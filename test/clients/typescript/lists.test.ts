import { test } from 'tap';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { json, startScriptedService } from '../../support/scripted-service.ts';

const page = (number: number, ...data: readonly object[]) =>
  json(200, { success: true, data, meta: { page: number, limit: 2, total: 4 } });

test('a checkpoint that the newest ones push to the next page comes once', async (t) => {
  const pages = [page(1, { number: 9 }, { number: 8 }), page(2, { number: 8 }, { number: 7 })];
  const { url } = await startScriptedService(t, ...pages);
  const found: number[] = [];
  for await (const { number } of new Proofmark({ server: url }).list('/log/checkpoints')) {
    found.push(number);
  }
  t.strictSame(found, [9, 8, 7]);
});
