import type { Command } from 'commander';
import { type KeyRecord, listKeys } from '../../projections/access/list-keys.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import { scopes } from '../../src/domain/key/scope.ts';
import type { KeyId, OrganisationId } from '../../src/domain/ulid.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { readKeyUses } from '../../src/http/keys/key-uses.ts';
import { loadOrganisation } from '../../src/loading/load-organisation.ts';
import { createKeyCount } from '../session/key-count.ts';
import { operation } from '../session/operation.ts';
import { commaSeparated, idArgument, wholeNumber } from '../terminal/arguments.ts';
import { table } from '../terminal/printable.ts';

interface CreateOptions {
  readonly organisation: OrganisationId;
  readonly scopes: readonly string[];
  readonly agent?: boolean;
  readonly name?: string;
  readonly expiresAt?: string;
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
}

/** Adds `key …`. The plain key is printed only when it is created. */
export function addKeyCommands(program: Command): void {
  const group = program.command('key').description('API keys of an organisation');

  const create = group
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption(
      '--organisation <id>',
      'the organisation that owns the key',
      idArgument<OrganisationId>,
    )
    .requiredOption(
      '--scopes <list>',
      `scopes, separated by commas: ${scopes.join(', ')}`,
      commaSeparated,
    )
    .option(
      '--agent',
      'key for an agent: cannot have webhooks:manage, api-keys:manage or links:manage',
    )
    .option('--name <name>', 'display name of the key')
    .option('--expires-at <time>', 'expiry time, such as 2030-01-31T12:00:00Z (default: never)')
    .option(
      '--requests-per-minute <n>',
      'limit of this key (default: the limit of the organisation)',
      wholeNumber,
    )
    .option(
      '--requests-per-day <n>',
      'limit of this key (default: the limit of the organisation)',
      wholeNumber,
    );
  operation<[], CreateOptions>(create, async (session, _args, options) => {
    const order = {
      organisationId: options.organisation,
      name: options.name ?? null,
      scopes: options.scopes,
      agent: options.agent ?? false,
      expiresAt: options.expiresAt ?? null,
      requestsPerMinute: options.requestsPerMinute ?? null,
      requestsPerDay: options.requestsPerDay ?? null,
      issuedBy: null,
    };
    const { keyId, key } = await issueKey(
      { ...session, turns: createTurns(), countKeys: createKeyCount(session) },
      order,
      session.meta,
    );
    const text = `API key ${keyId}; keep it safe, it is not shown again:\n${key}`;
    return { json: { keyId, key }, text };
  });

  const list = group
    .command('list')
    .description('the keys of an organisation, oldest first; shows only their first characters')
    .requiredOption(
      '--organisation <id>',
      'the organisation that owns the keys',
      idArgument<OrganisationId>,
    );
  operation<[], { organisation: OrganisationId }>(list, async (session, _args, options) => {
    await session.settle();
    await loadOrganisation(session.store, options.organisation);
    const { items: keys } = await listKeys(session.db, options.organisation);
    const uses = await readKeyUses(
      session.db,
      keys.map(({ keyId }) => keyId),
    );
    const used = keys.map((key) => ({ ...key, lastUsedAt: uses.get(key.keyId) ?? null }));
    return { json: { keys: used }, text: keyTable(used, session.now()) };
  });

  const revoke = group
    .command('revoke')
    .description('permanently revoke a key')
    .argument('<key>', 'id of the key, from `key list`', idArgument<KeyId>);
  operation<[KeyId], object>(revoke, async (session, [keyId]) => {
    await revokeKey(session.store, keyId, null, session.meta);
    return { json: { keyId, revoked: true }, text: `API key ${keyId} is revoked` };
  });
}

function keyTable(
  keys: readonly (KeyRecord & { readonly lastUsedAt: string | null })[],
  now: Date,
): string {
  if (keys.length === 0) return 'the organisation has no API key yet';
  const rows = keys.map((key) => [
    key.keyId,
    `${key.displayPrefix}…`,
    standing(key, now),
    key.lastUsedAt ?? 'never',
    key.agent ? 'agent' : '',
    key.scopes.join(','),
    key.issuedBy ?? key.issuedByPerson ?? 'operator',
    key.name ?? '',
  ]);
  return table(['ID', 'KEY', 'STANDING', 'LAST USED', '', 'SCOPES', 'ISSUED BY', 'NAME'], rows);
}

function standing(key: KeyRecord, now: Date): string {
  if (key.revoked) return 'revoked';
  if (key.expiresAt === null) return 'valid';
  const expired = Date.parse(key.expiresAt) <= now.getTime();
  return `${expired ? 'expired' : 'valid until'} ${key.expiresAt}`;
}
