import type { Command } from 'commander';
import { changePlan } from '../../src/commands/change-plan.ts';
import { changeRequestLimits, type LimitsOrder } from '../../src/commands/change-request-limits.ts';
import { changeStorageAllowance } from '../../src/commands/change-storage-allowance.ts';
import { changeUploadAllowance } from '../../src/commands/change-upload-allowance.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { resumeOrganisation } from '../../src/commands/resume-organisation.ts';
import { suspendOrganisation } from '../../src/commands/suspend-organisation.ts';
import { switchApiAccess } from '../../src/commands/switch-api-access.ts';
import { defaultMaxKeys } from '../../src/domain/organisation/organisation-limits.ts';
import { type Plan, parsePlan, plans } from '../../src/domain/organisation/plan.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { StorageAllowance } from '../../src/domain/storage/storage-allowance.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { readOrganisation, readOrganisations } from '../organisations/organisation-record.ts';
import { operation, type Report } from '../session/operation.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import {
  bytesOrWord,
  checked,
  idArgument,
  onOrOff,
  wholeNumber,
  wholeNumberOrDefault,
  wholeNumberOrUnlimited,
} from '../terminal/arguments.ts';
import { organisationFields, organisationTable } from '../terminal/organisation-in-words.ts';
import { addEraseCommand } from './erase.ts';

interface Limits {
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
}

type NumberOrDefault = number | 'default';

interface Creation extends Limits {
  readonly name: string;
  readonly plan: Plan;
  readonly uploadAllowance?: number;
  readonly storageAllowance?: StorageAllowance;
}

interface ChangedLimits extends Limits {
  readonly totalRequestsPerMinute?: NumberOrDefault;
  readonly totalRequestsPerDay?: NumberOrDefault;
  readonly keys?: NumberOrDefault;
  readonly storageAllowance?: StorageAllowance;
}

const ofAllKeys =
  'limit of all keys together (default: ten times the limit of one key, and at least the highest limit that an operator gave to a key)';
const keysOfAll = `maximum number of keys that are neither revoked nor expired (default: ${defaultMaxKeys})`;

const ofStorage =
  'bytes of all stored files, such as 50GB (default: STORAGE_ALLOWANCE_BYTES of the service)';

/** Adds `organisation …`: creation, settings and erasure of organisations. */
export function addOrganisationCommands(program: Command): void {
  const group = program.command('organisation').description('organisations and their standing');

  const create = group
    .command('create')
    .description('create an organisation')
    .requiredOption('--name <name>', 'name of the organisation')
    .requiredOption('--plan <plan>', plans.join(', '), checked(parsePlan))
    .option('--upload-allowance <n>', 'documents per month (default: no limit)', wholeNumber)
    .option('--storage-allowance <bytes|unlimited|default>', ofStorage, bytesOrWord)
    .option('--requests-per-minute <n>', 'limit of each key (default: 60)', wholeNumber)
    .option('--requests-per-day <n>', 'limit of each key (default: 10000)', wholeNumber);
  operation<[], Creation>(create, async (session, _args, options) => {
    const organisationId = await openOrganisation(session, options, session.meta);
    return { json: { organisationId }, text: `organisation ${organisationId} is open` };
  });

  const list = group.command('list').description('all organisations, oldest first');
  operation(list, async (session) => {
    const organisations = await readOrganisations(session);
    return { json: { organisations }, text: organisationTable(organisations) };
  });

  const show = onOne(group, 'show', 'show one organisation');
  operation<[OrganisationId], object>(show, (session, [organisationId]) =>
    report(session, organisationId),
  );

  const plan = onOne(group, 'plan', 'move an organisation to another plan').argument(
    '<plan>',
    plans.join(', '),
    checked(parsePlan),
  );
  change<Plan>(plan, ({ store, meta }, ...order) => changePlan(store, ...order, meta));

  const suspend = onOne(
    group,
    'suspend',
    'refuse the calls of an organisation; accepted proofs are still anchored',
  );
  change(suspend, ({ store, meta }, organisationId) =>
    suspendOrganisation(store, organisationId, meta),
  );

  const resume = onOne(group, 'resume', 'accept the calls of an organisation again');
  change(resume, ({ store, meta }, organisationId) =>
    resumeOrganisation(store, organisationId, meta),
  );

  const apiAccess = onOne(group, 'api-access', 'switch the API access of an organisation').argument(
    '<on|off>',
    'on or off',
    onOrOff,
  );
  change<boolean>(apiAccess, ({ store, meta }, ...order) => switchApiAccess(store, ...order, meta));

  const allowance = onOne(
    group,
    'allowance',
    'set the upload allowance of an organisation',
  ).argument('<n|unlimited>', 'documents per calendar month (UTC)', wholeNumberOrUnlimited);
  change<number | null>(allowance, ({ store, meta }, ...order) =>
    changeUploadAllowance(store, ...order, meta),
  );

  const limits = onOne(
    group,
    'limits',
    "set the request limits of the organisation's keys, the maximum number of keys, and the storage",
  )
    .option('--requests-per-minute <n>', 'for each key without a limit of its own', wholeNumber)
    .option('--requests-per-day <n>', 'for each key without a limit of its own', wholeNumber)
    .option('--total-requests-per-minute <n|default>', ofAllKeys, wholeNumberOrDefault)
    .option('--total-requests-per-day <n|default>', ofAllKeys, wholeNumberOrDefault)
    .option('--keys <n|default>', keysOfAll, wholeNumberOrDefault)
    .option('--storage-allowance <bytes|unlimited|default>', ofStorage, bytesOrWord);
  operation<[OrganisationId], ChangedLimits>(limits, async (session, [organisationId], options) => {
    const order: LimitsOrder = {
      perMinute: options.requestsPerMinute,
      perDay: options.requestsPerDay,
      totalRequestsPerMinute: nullIfDefault(options.totalRequestsPerMinute),
      totalRequestsPerDay: nullIfDefault(options.totalRequestsPerDay),
      maxKeys: nullIfDefault(options.keys),
    };
    const { storageAllowance } = options;
    const changesRequests = Object.values(order).some((value) => value !== undefined);
    if (!changesRequests && storageAllowance === undefined) {
      const message = 'give at least one limit, such as --requests-per-minute or --keys';
      throw new Refusal('INVALID_REQUEST', message);
    }
    const { store, meta } = session;
    if (changesRequests) await changeRequestLimits(store, organisationId, order, meta);
    if (storageAllowance !== undefined) {
      await changeStorageAllowance(store, organisationId, storageAllowance, meta);
    }
    return report(session, organisationId);
  });

  addEraseCommand(group);
}

function nullIfDefault(given: NumberOrDefault | undefined): number | null | undefined {
  return given === 'default' ? null : given;
}

function onOne(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .argument('<organisation>', 'id of the organisation', idArgument<OrganisationId>);
}

/** Defines a command that changes one organisation, to `Value` if it has one, and then shows it. */
function change<Value = undefined>(
  command: Command,
  make: (session: OperatorSession, organisationId: OrganisationId, value: Value) => Promise<void>,
): void {
  operation<[OrganisationId, Value], object>(command, async (session, [organisationId, value]) => {
    await make(session, organisationId, value);
    return report(session, organisationId);
  });
}

async function report(session: OperatorSession, organisationId: OrganisationId): Promise<Report> {
  const organisation = await readOrganisation(session, organisationId);
  return { json: organisation, text: organisationFields(organisation) };
}
