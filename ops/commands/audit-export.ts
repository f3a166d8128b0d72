import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { decodeEvent } from '../../src/event-store/decode.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { type AuditSession, openAuditSession } from '../audit/database/audit-session.ts';
import { Patience, patientDatabase } from '../audit/database/patience.ts';
import { exportLog } from '../audit/export/export-log.ts';
import { faultInWords } from '../audit/findings/fault.ts';
import { Findings } from '../audit/findings/findings.ts';
import { withOpened } from '../session/operation.ts';
import { idArgument } from '../terminal/arguments.ts';
import { printable } from '../terminal/printable.ts';
import { openProgressLine } from '../terminal/progress-line.ts';

interface Options {
  readonly out: string;
  readonly organisation?: OrganisationId;
  readonly unseal?: boolean;
  readonly json?: boolean;
}

export function addAuditExportCommand(group: Command): void {
  group
    .command('export')
    .description('write the history, one event per line; resumes an existing file')
    .requiredOption('--out <file>', 'the file to write')
    .option(
      '--organisation <id>',
      'only the events of this organisation',
      idArgument<OrganisationId>,
    )
    .option(
      '--unseal',
      'add encrypted fields in clear text if their keys exist; the file is then confidential',
    )
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const config = loadConfig(process.env, { onlyReads: true });
      await withOpened(
        (interrupted) => openAuditSession(config, interrupted),
        (session) => exportWith(session, options),
      );
    });
}

async function exportWith(session: AuditSession, options: Options): Promise<void> {
  const { out, organisation, unseal, json } = options;
  const database = patientDatabase(session.pool, new Patience());
  const masterKeys = unseal ? await session.readMasterKeys() : null;
  if (unseal && masterKeys === null) {
    throw new Refusal('INVALID_REQUEST', 'set MASTER_KEY: --unseal decrypts with it');
  }
  const keyring = masterKeys && createKeyring(database, masterKeys);
  const findings = new Findings();
  const line = openProgressLine('events');
  const done = await exportLog({
    database,
    findings,
    file: out,
    organisationId: organisation ?? null,
    decrypt: keyring && ((row) => decryptData(row, keyring)),
    onPosition: (position, head) => line.update('exporting', position, head),
  }).finally(() => line.end());
  const { count, faults, unchecked, uncheckedCount } = findings.report();
  if (findings.count > 0) process.exitCode = 1;
  const lines = [...faults, ...unchecked].map((finding) => printable(faultInWords(finding)));
  const sum = `${done.written} events written to ${out}, up to position ${done.head}`;
  const but =
    findings.count > 0 ? `; ${findings.count} faults or unchecked items are listed above` : '';
  const report = { file: out, ...done, count, faults, unchecked, uncheckedCount };
  const text = [...lines, `${sum}${but}`].join('\n');
  process.stdout.write(`${json ? JSON.stringify(report) : text}\n`);
}

/**
 * Returns the data of a row with its encrypted fields decrypted; undefined if no field is encrypted
 * or the keys are destroyed.
 */
async function decryptData(
  row: EventRow,
  keyring: ReturnType<typeof createKeyring>,
): Promise<object | undefined> {
  if (!row.data.includes('"sealed":')) return undefined;
  // Ignore `meta`, which has no encrypted fields.
  const event = await decodeEvent({ ...row, meta: '{}' }, keyring);
  return event.erased ? undefined : event.data;
}
