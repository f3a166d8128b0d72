import { isIP } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { canonicalDateTime } from '../../src/domain/date-time.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { type Action, readActions } from '../actions/read-actions.ts';
import { operation } from '../session/operation.ts';
import { idArgument, positiveNumber } from '../terminal/arguments.ts';
import { table } from '../terminal/printable.ts';

interface ActionOptions {
  readonly organisation?: OrganisationId;
  readonly by?: string;
  readonly address?: string;
  readonly since?: string;
  readonly all?: boolean;
  readonly limit: number;
}

/** Adds `actions`: who did what. */
export function addActionsCommand(program: Command): void {
  const command = program
    .command('actions')
    .description('who did what: administrative actions on record, newest first')
    .option('--organisation <id>', 'only actions in this organisation', idArgument<OrganisationId>)
    .option(
      '--by <operator|key|person>',
      'only actions of the operator with this name, or of the key or person with this id',
    )
    .option(
      '--address <address>',
      'only calls of clients that can have this address, if addresses are recorded',
      addressArgument,
    )
    .option(
      '--since <time>',
      'only actions since this time, such as 2026-11-01 (UTC)',
      timeArgument,
    )
    .option('--all', 'also all other events, such as uploads and proofs')
    .option('--limit <n>', 'maximum number of events', positiveNumber, 50);
  operation<[], ActionOptions>(
    command,
    async (session, _args, { organisation: organisationId, ...options }) => {
      const actions = await readActions(session, { organisationId, ...options });
      return { json: { actions }, text: actionTable(actions) };
    },
    { onlyReads: true },
  );
}

function actionTable(actions: readonly Action[]): string {
  if (actions.length === 0) return 'no such action is on record';
  const rows = actions.map((action) => [
    action.at,
    String(action.position),
    action.organisationId ?? '',
    action.action,
    action.subject,
    actorInWords(action),
    action.client ?? '',
  ]);
  return table(['AT', 'EVENT', 'ORGANISATION', 'ACTION', 'SUBJECT', 'BY', 'CLIENT'], rows);
}

function actorInWords({ actor, operator, keyId, personId, erased }: Action): string {
  const named = operator ?? keyId ?? personId;
  const who = named === null || actor === null ? (actor ?? 'not recorded') : `${actor} ${named}`;
  return erased ? `${who} (erased)` : who;
}

function addressArgument(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new InvalidArgumentError('It must be an IPv4 or IPv6 address.');
}

function timeArgument(text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = canonicalDateTime(isDay ? `${text}T00:00:00Z` : text);
  if (time !== null) return time;
  throw new InvalidArgumentError(
    'It must be a date (UTC), or a time with a zone, such as 2026-11-01T08:00:00Z.',
  );
}
