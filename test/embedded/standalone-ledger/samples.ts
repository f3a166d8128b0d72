import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type Json } from './compare-answers.ts';

const folder = join(import.meta.dirname, 'samples');

/** File names of all recorded samples. */
export const sampleNames: readonly string[] = readdirSync(folder).sort();

/** One recorded sample: a request and the answer of a rippled 2.3.0 standalone. */
export function sample(name: string): Json {
  const content: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  if (!isRecord(content)) throw new Error(`${name} is no object`);
  return content;
}

/** The messages of one recorded subscription, in order. */
export function sampleLines(name: string): Json[] {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}
