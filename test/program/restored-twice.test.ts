import { test } from 'tap';
import { hashOf, prove } from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { startProgram, stop } from '../support/program.ts';
import { openReplaceDatabase } from '../support/replace-database.ts';
import { until } from '../support/until.ts';

test('a second restore of the same backup names the first one, and no audit finds a fault', async (t) => {
  const { env: hosted, databaseUrl, ledger } = await startHosted(t, { closeMs: 250 });
  const env = { ...hosted, CHECKPOINT_INTERVAL_MS: '50' };
  const organisation = await openOrganisation(env);
  const replaced = await openReplaceDatabase(t, databaseUrl);
  /** Proves a file and anchors a checkpoint, with a program started for this alone. */
  const live = async (name: string) => {
    const program = await startProgram(t, env);
    await prove({ ...organisation, address: program.address }, hashOf(name));
    const anchored = await opsJson(t, env, 'log', 'checkpoint');
    await until('a published checkpoint covers the anchored one', async () => {
      const [origin, size] = (
        await (await fetch(`${program.address}/log/checkpoint`)).text()
      ).split('\n');
      return origin === anchored.origin && Number(size) >= Number(anchored.size);
    });
    t.match(await stop(program), { code: 0 });
    return { origin: String(anchored.origin), size: Number(anchored.size) };
  };
  const restore = async () => {
    await replaced.goBack();
    return (await opsJson(t, env, 'log', 'restored', '--yes')) as unknown as {
      readonly epoch: number;
      readonly keptSize: number;
      readonly earlier: readonly { readonly published: { readonly size: number } }[];
    };
  };
  t.match(await stop(await startProgram(t, env)), { code: 0 });
  await replaced.keep();
  const first = await live('first');
  t.match(await restore(), { epoch: 2, earlier: [] });
  const second = await live('second');
  t.equal(second.origin, `${first.origin}/2`);
  const third = await restore();
  t.match(third, {
    epoch: 3,
    published: { origin: second.origin },
    earlier: [{ epoch: 2, keptSize: null, published: { origin: first.origin }, anchored: first }],
  });
  t.equal(third.earlier.length, 1);

  const audit = async () => {
    const { code, stdout } = await ops(t, env, 'audit', 'verify', '--ledger', ledger.url);
    t.equal(code, 0, stdout);
    t.match(stdout, /^no fault in \d+ events$/m);
    const lost = Number(third.earlier[0]?.published.size) - third.keptSize;
    const told = `epoch 2 and the event that records its restore are lost. At least ${lost} events of the epoch before it are lost`;
    t.match(stdout, new RegExp(`^restored: ${told}$`, 'm'));
    t.match(
      stdout,
      new RegExp(
        `^restored: the restore at .* began epoch 3 with the first ${third.keptSize} events`,
        'm',
      ),
    );
    for (const { size } of [first, second]) {
      t.match(stdout, new RegExp(`^lost: .* covers ${size} events, but a restore kept only`, 'm'));
    }
  };
  await audit();
  const last = await live('third');
  t.equal(last.origin, `${first.origin}/3`);
  await audit();
});
