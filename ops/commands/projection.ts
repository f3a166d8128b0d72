import { type Command, InvalidArgumentError } from 'commander';
import { projections } from '../../projections/registry.ts';
import { openBuildReaders } from '../../src/database-threads/open-build-readers.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { eachProjection } from '../../src/subscriptions/each-projection.ts';
import type { Projection } from '../../src/subscriptions/projection.ts';
import { projectionStandings } from '../../src/subscriptions/projection-standing.ts';
import {
  type Rebuilding,
  type RebuildOptions,
  type RebuildProgress,
  rebuildProjection,
} from '../../src/subscriptions/rebuild-projection.ts';
import { rollbackProjection } from '../../src/subscriptions/rollback-projection.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { operation } from '../session/operation.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { openProgressLine, type ProgressLine } from '../terminal/progress-line.ts';
import { rebuiltInWords, standingTable } from '../terminal/projections-in-words.ts';

interface Options extends RebuildOptions {
  readonly all?: boolean;
}

/** Adds `projection …`: state, rebuild and rollback of read models. */
export function addProjectionCommands(program: Command): void {
  const group = program
    .command('projection')
    .description('projections (read models): state, rebuild and rollback');

  const list = group.command('list').description('version, position, lag and state of each build');
  const standings = async ({ db, now }: OperatorSession) => {
    const names = projections.map(({ name }) => name);
    const builds = await projectionStandings(db, names, now());
    return { json: { projections: builds }, text: standingTable(builds) };
  };
  // Show the lag instead of waiting for projections to catch up.
  operation(list, standings, { onlyReads: true });

  const rebuild = group
    .command('rebuild')
    .description('build a projection beside the live build, compare the two, and swap them')
    .argument('[name]', names(), known)
    .option('--all', 'rebuild every projection, several at the same time')
    .option('--accept-differences', 'swap even if rows differ from the live build')
    .option('--resume', 'continue an interrupted build of this program version')
    .option('--most-rows <n>', 'maximum differing rows to show per table', wholeNumber, 10)
    .option('--show-values', 'show the values of differing rows; they may be confidential');
  operation<[Projection | undefined], Options>(rebuild, async (session, [one], options) => {
    const wanted = options.all ? projections : one ? [one] : [];
    if (wanted.length === 0 || (options.all && one)) {
      throw new OperatorError('give either the name of one projection or --all');
    }
    const rebuilt = await eachWithLocks(session, wanted, (rebuilding) =>
      rebuildProjection(rebuilding, options),
    );
    if (rebuilt.some(({ outcome }) => outcome === 'different')) process.exitCode = 1;
    return { json: { rebuilt }, text: rebuilt.map(rebuiltInWords).join('\n') };
  });

  const rollback = group
    .command('rollback')
    .description('make the kept build live again')
    .argument('<name>', names(), known);
  operation<[Projection], object>(rollback, async (session, [projection]) => {
    const [back] = await eachWithLocks(session, [projection], rollbackProjection);
    if (back === undefined) throw new Error('nothing was rolled back');
    const { name, build, position } = back;
    return { json: back, text: `${name}: build ${build} is live again, at position ${position}` };
  });
}

/** Runs the work for the projections, several at the same time, and adds its name to each result. */
async function eachWithLocks<Result extends object>(
  session: OperatorSession,
  wanted: readonly Projection[],
  work: (rebuilding: Rebuilding) => Promise<Result>,
): Promise<readonly (Result & { readonly name: string })[]> {
  const locks = openWorkLocks(session.url);
  const readers = openBuildReaders(session);
  const line = openProgressLine('events');
  const head = await session.store.head();
  const progress = new Map<string, number>();
  try {
    return await eachProjection(wanted, async (projection) => {
      const { name } = projection;
      const onProgress = report({ line, head, progress, wanted }, name);
      return { name, ...(await work({ ...session, locks, readers, projection, onProgress })) };
    });
  } finally {
    line.end();
    await readers.close();
    await locks.close();
  }
}

interface Shown {
  readonly line: ProgressLine;
  /** Head of the log at the begin. */
  readonly head: number;
  readonly wanted: readonly Projection[];
  /** Position of each projection. */
  readonly progress: Map<string, number>;
}

/** Shows one bar for all projections, and says which steps follow. */
function report(
  { line, head, progress, wanted }: Shown,
  name: string,
): (progress: RebuildProgress) => void {
  const messages = {
    indexing: `${name}: making indexes`,
    comparing: `${name}: comparing with the live build`,
    swapping: `${name}: swapping`,
  } as const;
  let last = '';
  return ({ phase, position }) => {
    progress.set(name, position);
    const done = [...progress.values()].reduce((sum, each) => sum + each, 0);
    const label = wanted.length === 1 ? name : `${wanted.length} projections`;
    if (phase === 'reading') line.update(label, done, Math.max(head * wanted.length, done));
    else if (phase !== last) line.say(messages[phase]);
    last = phase;
  };
}

function known(name: string): Projection {
  const projection = projections.find((one) => one.name === name);
  if (projection) return projection;
  throw new InvalidArgumentError(`It must be one of ${names()}.`);
}

function names(): string {
  return projections.map(({ name }) => name).join(', ');
}
