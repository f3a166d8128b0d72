import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { everyVector } from './every-vector.ts';
import { judgeVector } from './judge-vector.ts';

/** Writes `docs/vectors/vectors.ndjson.gz`, with the verdicts of the modules of `ops verify`. */
const seed = Number(process.env.SEED ?? 20_261_123);
const file =
  process.argv[2] ?? join(import.meta.dirname, '../../../docs/vectors/vectors.ndjson.gz');
const lines: string[] = [];
for (const vector of everyVector(seed)) {
  lines.push(JSON.stringify({ ...vector, expect: await judgeVector(vector) }));
}
writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
process.stdout.write(`${lines.length} vectors, SEED=${seed}: ${file}\n`);
