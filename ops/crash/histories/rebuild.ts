import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { projections } from '../../../projections/registry.ts';
import { progress } from '../../bench/harness/progress.ts';
import type { SeededRandom } from '../seeded-random.ts';

/**
 * `swapped`: the new build is live. `different`: its rows differ from those of the live build.
 * `failed`: the command ended early, such as when its database was killed.
 */
export type RebuildOutcome = 'swapped' | 'different' | 'failed';

const root = resolve(import.meta.dirname, '../../..');
const endsWithinMs = 120_000;

/** Runs `ops projection rebuild` of one projection; half of the time of the one that lists read. */
export async function rebuild(
  env: Readonly<Record<string, string>>,
  random: SeededRandom,
): Promise<RebuildOutcome> {
  const all = projections.map(({ name }) => name);
  const other = all[Math.floor(random.next() * all.length)] ?? 'documents';
  const name = random.next() < 0.5 ? 'documents' : other;
  const { PATH = '' } = process.env;
  const args = [join(root, 'ops/cli.ts'), 'projection', 'rebuild', name, '--json'];
  const child = spawn(process.execPath, args, { env: { PATH, ...env }, timeout: endsWithinMs });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const outcome = outcomeOf(stdout);
  const reason = outcome === 'swapped' ? '' : ` ${stdout}${stderr}`.slice(0, 2_000);
  progress(`Rebuild of ${name}: ${outcome}${reason}`);
  return outcome;
}

function outcomeOf(stdout: string): RebuildOutcome {
  if (stdout === '') return 'failed';
  const { rebuilt } = JSON.parse(stdout) as { rebuilt: readonly { outcome: string }[] };
  return rebuilt[0]?.outcome === 'swapped' ? 'swapped' : 'different';
}
