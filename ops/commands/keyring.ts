import type { Command } from 'commander';
import {
  countWrappedKeys,
  rewrapKeys,
  type WrappedKeys,
} from '../../src/event-store/rewrap-keys.ts';
import { operation, type Report } from '../session/operation.ts';
import { openProgressLine } from '../terminal/progress-line.ts';

export function addKeyringCommands(program: Command): void {
  const group = program
    .command('keyring')
    .description("the organisations' keys, and the master key that wraps them");

  const status = group
    .command('status')
    .description(
      'how many keys each key in MASTER_KEY has wrapped; fails if a key cannot be unwrapped',
    );
  operation<[], object>(status, async ({ pool, masterKeys }) =>
    report(await countWrappedKeys(pool, masterKeys)),
  );

  const rotate = group
    .command('rotate')
    .description(
      'wrap all keys with the first key in MASTER_KEY; the other keys in it unwrap them',
    );
  operation<[], object>(rotate, async ({ pool, masterKeys }) => {
    const { rows } = await pool.query('SELECT count(*)::int AS total FROM data_keys');
    const total = Number(rows[0]?.total ?? 0);
    const progress = openProgressLine('keys');
    try {
      const found = await rewrapKeys(pool, masterKeys, (done) =>
        progress.update('wrapping', done, total),
      );
      const wrapped = { present: found.present + found.former, former: 0 };
      return { ...report(wrapped), json: { rewrapped: found.former, ...wrapped } };
    } finally {
      progress.end();
    }
  });
}

function report({ present, former }: WrappedKeys): Report {
  const rest =
    former === 0
      ? 'no organisation key is wrapped by another master key'
      : `${former} keys are wrapped by another key: run \`ops keyring rotate\``;
  const text = `${present} keys are wrapped by the first key in MASTER_KEY; ${rest}`;
  return { json: { present, former }, text };
}
