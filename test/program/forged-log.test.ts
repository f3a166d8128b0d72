import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import type { Fault } from '../../ops/audit/findings/fault.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { query } from '../embedded/run-service.ts';
import { hashOf, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { forgeLog, rewriteRow } from '../support/forge-log.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

test('a log forged with all keys below an anchored checkpoint is told by the ledger and by kept checkpoints', async (t) => {
  const { env, databaseUrl, ledger, checkpointAccount } = await startHosted(t, { closeMs: 250 });
  const { organisationId, ...own } = await openOrganisation(env);
  const running = { ...env, LOG_LEVEL: 'fatal', CHECKPOINT_INTERVAL_MS: '50' };
  const program = await startProgram(t, running);
  const caller = { ...own, address: program.address };
  await prove(caller, hashOf('kept'));
  const [row] = await query(databaseUrl, 'SELECT position FROM log_head');
  const cutAfter = Number(row?.position);
  await prove(caller, hashOf('denied'));
  const anchored = await opsJson(t, env, 'log', 'checkpoint');
  const size = Number(anchored.size);
  t.ok(size > cutAfter);
  const kept = join(await newFolder(t), 'kept');
  const note = await until('a published checkpoint covers the anchored one', async () => {
    const text = await (await fetch(`${program.address}/log/checkpoint`)).text();
    return Number(text.split('\n')[1]) >= size && text;
  });
  await writeFile(kept, note);
  const keptSize = Number(note.split('\n')[1]);
  t.match(await stop(program), { code: 0 });

  // An auditor with access to the database, and without the accounts of the operator.
  const auditor = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('XRPL_')),
  );
  const verify = async (...more: readonly string[]) => {
    const { code, stdout, stderr } = await ops(t, auditor, 'audit', 'verify', '--json', ...more);
    t.not(stdout, '', stderr);
    const report = JSON.parse(stdout) as {
      readonly faults: readonly Fault[];
      readonly unheld: readonly string[];
    };
    return { code, ...report };
  };
  const faultsOf = ({ faults }: { readonly faults: readonly Fault[] }) =>
    faults.map((one) => `${one.in}: ${one.what}`);
  const onLedger = ['--ledger', ledger.url, '--account', checkpointAccount] as const;
  const sound = await verify(...onLedger, '--checkpoint', kept);
  t.strictSame([sound.code, ...faultsOf(sound)], [0]);

  /** The audit of the forged log alone, with the ledger, and with the kept checkpoint. */
  const auditForged = async () => {
    const alone = await verify();
    t.strictSame(faultsOf(alone), [], 'the forged log agrees with itself and its storage');
    t.match(alone.unheld.join('\n'), /^checkpoints that you have kept \(no --checkpoint\)/m);
    t.match(alone.unheld.join('\n'), /^a ledger \(no --ledger\)/m);
    const [byLedger, byFile] = [await verify(...onLedger), await verify('--checkpoint', kept)];
    t.strictSame([alone.code, byLedger.code, byFile.code], [0, 1, 1]);
    return { byLedger: faultsOf(byLedger), byFile: faultsOf(byFile) };
  };
  const anchor = `ledger: the checkpoint that ${checkpointAccount} on standalone anchored in ledger \\d+ \\(transaction ${anchored.transactionHash}\\)`;
  const file = `checkpoints: the checkpoint in ${kept}`;

  await forgeLog({ env }, { cutAfter });
  const cut = await auditForged();
  t.match(cut.byLedger, [
    new RegExp(`^${anchor} covers ${size} events, but the log has only ${cutAfter}$`),
  ]);
  t.strictSame(cut.byFile, [`${file} covers ${keptSize} events, but the log has only ${cutAfter}`]);

  // The plan was always another one, and the log is as long as before.
  const stream = streams.organisation(organisationId as OrganisationId);
  const [opened] = await query(
    databaseUrl,
    `SELECT position FROM events WHERE stream = '${stream}'`,
  );
  await forgeLog(
    { env },
    {
      cutAfter,
      change: (client) =>
        rewriteRow(client, Number(opened?.position), ({ data }) => ({
          data: data.replace('"plan":"professional"', '"plan":"enterprise"'),
        })),
      async grow(store) {
        const event = { type: 'PlanChanged', data: { plan: 'enterprise' } } as const;
        const events = Array.from({ length: keptSize - cutAfter + 5 }, () => event);
        const expectedVersion = await store.versionOf(stream);
        const entry = { organisationId: organisationId as OrganisationId, stream, expectedVersion };
        await store.append([{ ...entry, events }], { actor: 'operator' });
      },
    },
  );
  const anew = await auditForged();
  const root = (covered: number) =>
    `: the root of the first ${covered} events differs from the root in the checkpoint$`;
  t.match(anew.byLedger, [new RegExp(`^${anchor}${root(size)}`)]);
  t.match(anew.byFile, [new RegExp(`^${file}${root(keptSize)}`)]);
  const refused = await runProgram(t, running).ended;
  t.match(refused, { code: 1, stderr: /was anchored on testnet up to event/ }, 'nor does it start');
});
