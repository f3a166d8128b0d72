import { constants } from 'node:buffer';
import {
  appendFile,
  mkdtemp,
  open,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import {
  filled,
  hashOf,
  inWords,
  startProvingSite,
  workspace,
} from '../../support/proving-site.ts';
import { folderOnDisk } from '../../support/run.ts';

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

test('a nonce whose answer got lost after it was sent is asked for', async (t) => {
  const folder = await filled(t, { '1.txt': '1', '2.txt': '2' });
  const journal = join(folder, '../journal');
  const { proofmark, batches, noncesAsked, calls } = await startProvingSite(t);
  await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  // As after a crash before the answer was read: the service has proven, and believes that the nonces arrived.
  const text = await readFile(journal, 'utf8');
  await truncate(journal, text.indexOf('{"proven"'));
  const results = await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  for (const each of results) {
    if (each.status === 'failed') throw each.error;
    t.equal(each.proof.proofNonce, `nonce of ${each.hash}`);
  }
  t.strictSame([batches.length, noncesAsked], [2, ['P1', 'P2']]);
  const asked = calls.length;
  t.strictSame(await Array.fromAsync(proofmark.proveAll(folder, { journal })), results);
  t.equal(calls.length, asked, 'the journal has them');
});

test('a key that may not read gets proofs without their lost nonces, and asks for none', async (t) => {
  const site = await startProvingSite(t, undefined, {}, { mayRead: false });
  for (const hash of ['1', '2']) site.proofs.set(hashOf(hash), `P${hash}`);
  const files = ['1', '2', '3'].map((name) => new File([name], name));
  const results = await Array.fromAsync(site.proofmark.proveAll(files));
  t.match(results, [
    { proof: { proofId: 'P1', proofNonce: null } },
    { proof: { proofId: 'P2', proofNonce: null } },
    { proof: { proofNonce: `nonce of ${hashOf('3')}` } },
  ]);
  const asked = () => site.calls.map(({ path }) => path.split('/').at(-1));
  t.strictSame(asked(), ['lookup', 'batch']);
  // Nothing is looked up for hashes that an earlier run has sent.
  const sent = `{"sent":["${hashOf('1')}","${hashOf('2')}"]}\n`;
  const { server } = site.proofmark;
  const header = { format: 'proofmark/journal', version: 1, server, workspace };
  const text = `${JSON.stringify(header)}\n${sent}`;
  const journal = { read: async () => text, append: async () => {} };
  await Array.fromAsync(site.proofmark.proveAll(files.slice(0, 2), { journal }));
  t.strictSame(asked().slice(2), ['batch', 'P1?includeSalt=true']);
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

test('a journal that is longer than any string is gone on with', async (t) => {
  const folder = await filled(t, { '1.txt': '1' });
  const place = await mkdtemp(join(folderOnDisk, 'long-journal-'));
  t.teardown(() => rm(place, { recursive: true }));
  const journal = join(place, 'journal');
  const { proofmark, calls } = await startProvingSite(t);
  await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  const asked = calls.length;
  const [header, ...lines] = (await readFile(journal, 'utf8')).split(/(?<=\n)/);
  // As long as the line of a batch, and quicker to read.
  const line = `${JSON.stringify({ later: 'x'.repeat(67_000) })}\n`;
  const file = await open(journal, 'w');
  await file.write(header ?? '');
  for (let size = 0; size <= constants.MAX_STRING_LENGTH; size += 100 * line.length) {
    await file.write(line.repeat(100));
  }
  await file.write(lines.join(''));
  await file.close();
  const found = await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  t.match(found, [{ status: 'proven', proof: { proofNonce: /^nonce of/ } }]);
  t.equal(calls.length, asked, 'its last lines are known');
});

test('a journal may be a storage with a text', async (t) => {
  const { proofmark, calls } = await startProvingSite(t);
  let text = '';
  const journal = {
    read: async () => text,
    append: async (added: string) => {
      text += added;
    },
  };
  const files = [new File(['1'], '1.txt')];
  const results = await Array.fromAsync(proofmark.proveAll(files, { journal }));
  const asked = calls.length;
  text = text.trimEnd();
  t.strictSame(await Array.fromAsync(proofmark.proveAll(files, { journal })), results);
  t.equal(calls.length, asked);
  t.match(text, /\}\n$/, 'the next line begins anew');
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
