import { type Command, InvalidArgumentError } from 'commander';
import { projections } from '../../projections/registry.ts';
import type { Projection } from '../../src/subscriptions/projection.ts';
import { projectionStandings } from '../../src/subscriptions/projection-standing.ts';
import {
  type Rebuilding,
  type RebuildOptions,
  rebuildProjection,
} from '../../src/subscriptions/rebuild-projection.ts';
import { rollbackProjection } from '../../src/subscriptions/rollback-projection.ts';
import { openWorkLocks, type WorkLocks } from '../../src/subscriptions/work-locks.ts';
import { wholeNumber } from '../arguments.ts';
import { operation } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';
import { openProgressLine, type ProgressLine } from '../progress-line.ts';
import { rebuiltInWords, standingTable } from '../projections-in-words.ts';

interface Options extends RebuildOptions {
  readonly all?: boolean;
}

/** Adds `projection …`: where read models stand, and building them anew. */
export function addProjectionCommands(program: Command): void {
  const group = program.command('projection').description('read models, and building them anew');

  const list = group.command('list').description('where each build of a projection stands');
  const standings = async ({ db, now }: OperatorSession) => {
    const names = projections.map(({ name }) => name);
    const builds = await projectionStandings(db, names, now());
    return { json: { projections: builds }, text: standingTable(builds) };
  };
  // What lags is to be seen, not to be waited for.
  operation(list, standings, { onlyReads: true });

  const rebuild = group
    .command('rebuild')
    .description('build a projection beside the live one, compare the two, swap them')
    .argument('[name]', names(), known)
    .option('--all', 'every projection, one after the other')
    .option('--accept-differences', 'swap also where the new rows are not the live ones')
    .option('--resume', 'go on with a build that was broken off, of this very program')
    .option('--most-rows <n>', 'that differ are told, of each table', wholeNumber, 10)
    .option('--show-values', 'of what differs; they may be confidential');
  operation<[Projection | undefined], Options>(rebuild, async (session, [one], options) => {
    const wanted = options.all ? projections : one ? [one] : [];
    if (wanted.length === 0 || (options.all && one)) {
      throw new Error('say which projection, or --all');
    }
    const rebuilt = await eachWithLocks(session, wanted, (rebuilding) =>
      rebuildProjection(rebuilding, options),
    );
    if (rebuilt.some(({ outcome }) => outcome === 'different')) process.exitCode = 1;
    return { json: { rebuilt }, text: rebuilt.map(rebuiltInWords).join('\n') };
  });

  const rollback = group
    .command('rollback')
    .description('let the build go live again that was live before')
    .argument('<name>', names(), known);
  operation<[Projection], object>(rollback, async (session, [projection]) => {
    const [back] = await eachWithLocks(session, [projection], rollbackProjection);
    if (back === undefined) throw new Error('nothing was rolled back');
    const { name, build, position } = back;
    return { json: back, text: `${name}: build ${build} is live again, at position ${position}` };
  });
}

/** One after the other; the name is added to each result. */
async function eachWithLocks<Result extends object>(
  session: OperatorSession,
  wanted: readonly Projection[],
  work: (rebuilding: Rebuilding) => Promise<Result>,
): Promise<(Result & { readonly name: string })[]> {
  const locks = openWorkLocks(session.url);
  const line = openProgressLine('events');
  const results: (Result & { readonly name: string })[] = [];
  try {
    for (const projection of wanted) {
      const rebuilding = await describe(session, locks, projection, line);
      results.push({ name: projection.name, ...(await work(rebuilding)) });
    }
    return results;
  } finally {
    line.end();
    await locks.close();
  }
}

async function describe(
  { db, store, cancelled }: OperatorSession,
  locks: WorkLocks,
  projection: Projection,
  line: ProgressLine,
): Promise<Rebuilding> {
  const { name } = projection;
  const head = await store.head();
  const says = {
    indexing: `${name}: making indexes`,
    comparing: `${name}: comparing with the live build`,
    swapping: `${name}: swapping`,
  } as const;
  let last = '';
  return {
    db,
    store,
    locks,
    projection,
    cancelled,
    onProgress({ phase, position }) {
      if (phase === 'reading') line.update(name, position, Math.max(head, position));
      else if (phase !== last) line.say(says[phase]);
      last = phase;
    },
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
