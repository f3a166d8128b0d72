import type { Command } from 'commander';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { id } from '../arguments.ts';
import { exportLog } from '../audit/export-log.ts';
import { operation } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';
import { openProgressLine } from '../progress-line.ts';
import { addAuditVerifyCommand } from './audit-verify.ts';

/** Adds `audit …`: history for others, and whether it is what was published. */
export function addAuditCommands(program: Command): void {
  const group = program.command('audit').description('history for auditors, and verifying it');

  const exporting = group
    .command('export')
    .description('write the history, an event a line; a file that is there is gone on with')
    .requiredOption('--out <file>', 'where to')
    .option('--organisation <id>', 'its events alone', id<OrganisationId>)
    .option('--unseal', 'add what is sealed, where the keys are there: confidential');
  operation<[], { out: string; organisation?: OrganisationId; unseal?: boolean }>(
    exporting,
    async (session, _args, { out, organisation, unseal }) => {
      const line = openProgressLine('events');
      const done = await exportLog({
        database: session.pool,
        file: out,
        organisationId: organisation ?? null,
        unseal: unseal === true ? (row) => unsealed(session, row) : null,
        onPosition: (position, head) => line.update('exporting', position, head),
      }).finally(() => line.end());
      const text = `${done.written} events written to ${out}, up to position ${done.head}`;
      return { json: { file: out, ...done }, text };
    },
    { onlyReads: true },
  );

  addAuditVerifyCommand(group);
}

/** What is sealed, opened; nothing where nothing is, or the keys are gone. */
async function unsealed(session: OperatorSession, row: EventRow): Promise<object | undefined> {
  if (!row.data.includes('"sealed":')) return undefined;
  const [event] = await session.store.readLog(row.position - 1, 1);
  return event === undefined || event.erased ? undefined : event.data;
}
