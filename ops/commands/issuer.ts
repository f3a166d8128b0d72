import { type Command, InvalidArgumentError } from 'commander';
import { canonicalDateTime } from '../../src/domain/date-time.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import type { ListedIssuerKey } from '../../src/issuer/contract.ts';
import { createIssuerKeys } from '../../src/issuer/issuer-keys.ts';
import { recordIssuerCompromise, rotateIssuerKey } from '../../src/issuer/rotate-issuer-key.ts';
import { operation } from '../session/operation.ts';
import { table } from '../terminal/printable.ts';

const publish =
  'Publish the new key where you published the others. Verifiers need all keys: a certificate is ' +
  'checked with the key that signed it.';

/** Adds `issuer …`: the keys that sign the bundles of certificates. */
export function addIssuerCommands(program: Command): void {
  const group = program
    .command('issuer')
    .description('the keys with which certificates are signed');

  const keys = group
    .command('keys')
    .description('all keys, newest first, with their log positions');
  operation<[], object>(
    keys,
    async (session) => {
      const listed = await createIssuerKeys(session).list();
      return { json: { keys: listed }, text: keysInWords(listed) };
    },
    { onlyReads: true },
  );

  const rotate = group
    .command('rotate')
    .description('replace the key that signs; the service may be running and needs no restart')
    .option('--compromised', 'somebody else may have the key: this is recorded in the log')
    .option('--since <time>', 'since when, such as 2026-11-23T12:00:00Z (default: now)', instant);
  operation<[], { compromised?: true; since?: string }>(
    rotate,
    async (session, _args, { compromised, since }) => {
      if (since !== undefined && !compromised) {
        throw new OperatorError(
          '--since needs --compromised: a key that is only replaced was never lost',
        );
      }
      const from = compromised ? (since ?? new Date().toISOString()) : null;
      const rotated = await rotateIssuerKey(session, from, session.meta);
      const outcome = from === null ? 'replaced' : `replaced: compromised since ${from}`;
      return {
        json: { ...rotated, compromisedSince: from },
        text: [`${rotated.retired}: ${outcome}`, `${rotated.published}: signs now`, publish].join(
          '\n',
        ),
      };
    },
  );

  const compromised = group
    .command('compromised')
    .description('record that a key which was replaced earlier was compromised')
    .argument('<key>', 'NAME+ID+KEY, as `ops issuer keys` shows it')
    .requiredOption('--since <time>', 'since when, such as 2026-11-23T12:00:00Z', instant);
  operation<[string], { since: string }>(compromised, async (session, [key], { since }) => {
    await recordIssuerCompromise(session, { key, since }, session.meta);
    return { json: { key, since }, text: `${key}: compromised since ${since}` };
  });
}

function instant(text: string): string {
  const read = canonicalDateTime(text);
  if (read === null) throw new InvalidArgumentError('must be a time such as 2026-11-23T12:00:00Z');
  return read;
}

function keysInWords(listed: readonly ListedIssuerKey[]): string {
  if (listed.length === 0) return 'no key yet: the service makes one when it starts';
  const rows = listed.map((one) => [
    one.key,
    one.publishedAt,
    one.retiredAt ?? 'signs now',
    one.compromisedSince ?? '',
    String(one.publishedPosition),
    one.retiredPosition === null ? '' : String(one.retiredPosition),
  ]);
  return table(['key', 'from', 'until', 'compromised since', 'published at', 'retired at'], rows);
}
