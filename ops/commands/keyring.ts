import type { Command } from 'commander';
import {
  countWrappedKeys,
  rewrapKeys,
  type WrappedKeys,
} from '../../src/event-store/rewrap-keys.ts';
import { operation, type Report } from '../operation.ts';
import { openProgressLine } from '../progress-line.ts';

/** Adds `keyring …`. */
export function addKeyringCommands(program: Command): void {
  const group = program
    .command('keyring')
    .description("the organisations' keys, and the master key that wraps them");

  const status = group
    .command('status')
    .description('which of the keys in MASTER_KEY have wrapped how many; fails if none opens one');
  operation<[], object>(status, async ({ pool, masterKeys }) =>
    report(await countWrappedKeys(pool, masterKeys)),
  );

  const rotate = group
    .command('rotate')
    .description('wrap all keys by the first one in MASTER_KEY; the others open what they wrapped');
  operation<[], object>(rotate, async ({ pool, masterKeys }) => {
    const { rows } = await pool.query('SELECT count(*)::int AS total FROM data_keys');
    const total = Number(rows[0]?.total ?? 0);
    const progress = openProgressLine('keys');
    try {
      const found = await rewrapKeys(pool, masterKeys, (done) =>
        progress.update('wrapping', done, total),
      );
      const told = { present: found.present + found.former, former: 0 };
      return { ...report(told), json: { rewrapped: found.former, ...told } };
    } finally {
      progress.end();
    }
  });
}

function report({ present, former }: WrappedKeys): Report {
  const rest =
    former === 0
      ? 'the others in MASTER_KEY, if any, are not needed'
      : `${former} by another: run \`ops keyring rotate\``;
  const text = `${present} keys are wrapped by the first key in MASTER_KEY; ${rest}`;
  return { json: { present, former }, text };
}
