import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { filled, hashOf, inWords, startProvingSite } from '../../support/proving-site.ts';

test('a run with the journal of another goes on where it ended, and keeps the nonces', async (t) => {
  const folder = await filled(t, { '1.txt': '1', '2.txt': '2', '3.txt': '3' });
  const journal = join(folder, 'journal');
  const { proofmark, batches, calls } = await startProvingSite(t);
  const options = { journal, batchSize: 1 };
  for await (const { name } of proofmark.proveAll(folder, options)) if (name === '2.txt') break;
  const before = batches.length;
  const results = await Array.fromAsync(proofmark.proveAll(folder, options));
  t.strictSame(inWords(results), ['1.txt proven', '2.txt proven', '3.txt proven']);
  for (const each of results) t.match(each, { proof: { proofNonce: /^nonce of/ } });
  const sent = batches.slice(before).flatMap((items) => items.map(({ fileName }) => fileName));
  t.strictSame(sent, ['3.txt']);
  t.equal((await stat(journal)).mode & 0o777, 0o600, 'only its owner may read it');
  const asked = calls.length;
  t.equal((await Array.fromAsync(proofmark.proveAll(folder, options))).length, 3);
  t.equal(calls.length, asked, 'a complete run asks nobody');
  await appendFile(join(folder, '2.txt'), '2');
  await Array.fromAsync(proofmark.proveAll(folder, options));
  t.match(batches.at(-1), [{ hash: hashOf('22') }], 'an altered file is a new one');
});

test('a batch whose answer a crash lost is sent again whole, for its nonces', async (t) => {
  const folder = await filled(t, { '1.txt': '1', '2.txt': '2' });
  const journal = join(folder, '../journal');
  const { proofmark, batches, lookUps, proofs } = await startProvingSite(t);
  await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  // As after a crash in the line of the first proof: the service has proven, and kept the nonces.
  const text = await readFile(journal, 'utf8');
  await truncate(journal, text.indexOf('{"proven"') + 20);
  proofs.clear();
  const results = await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  for (const each of results) t.match(each, { proof: { proofNonce: /^nonce of/ } });
  t.strictSame([batches.length, lookUps.length], [2, 1], 'without asking for these hashes');
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  const broken = lines.filter((line) => !line.endsWith('}'));
  t.equal(broken.length, 1, 'the cut line stands alone');
  const again = await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  t.strictSame(again, results);
});

test('a journal of another service, of a later version or of something else is refused', async (t) => {
  const folder = await filled(t, { '1.txt': '1' });
  const journal = join(folder, '../journal');
  const refusal = { code: 'JOURNAL_NOT_USABLE' };
  const { proofmark } = await startProvingSite(t);
  const other = await startProvingSite(t);
  await Array.fromAsync(other.proofmark.proveAll(folder, { journal }));
  await t.rejects(Array.fromAsync(proofmark.proveAll(folder, { journal })), refusal);
  const later = (await readFile(journal, 'utf8')).replace('"version":1', '"version":2');
  await writeFile(journal, later.replace(other.url, proofmark.server));
  await t.rejects(Array.fromAsync(proofmark.proveAll(folder, { journal })), refusal);
  for (const text of ['a letter', 'a letter\n', '{"format":"x"}\n', '{}\n']) {
    await writeFile(journal, text);
    await t.rejects(Array.fromAsync(proofmark.proveAll(folder, { journal })), refusal, text);
    t.equal(await readFile(journal, 'utf8'), text, 'and stays as it was');
  }
  await writeFile(journal, '{"format":"proofm');
  t.equal((await Array.fromAsync(proofmark.proveAll(folder, { journal }))).length, 1);
  t.equal((await Array.fromAsync(proofmark.proveAll(folder, { journal }))).length, 1);
});

test('a journal that cannot be read or written ends the run with its cause', async (t) => {
  const folder = await filled(t, { '1.txt': '1' });
  const { proofmark, calls } = await startProvingSite(t);
  for (const [journal, code] of [
    [folder, 'EISDIR'],
    [join(folder, 'nowhere', 'journal'), 'ENOENT'],
  ]) {
    const run = Array.fromAsync(proofmark.proveAll(folder, { journal: journal ?? '' }));
    await t.rejects(run, { code: 'JOURNAL_NOT_USABLE', cause: { code } });
  }
  t.equal(calls.length, 0, 'nothing is sent without a record');
});
