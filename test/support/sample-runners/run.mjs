// Runs each TypeScript file of the folder and prints, as JSON, what it printed or why it failed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder] = process.argv;
const outcomes = {};
const { log } = console;
for (const name of readdirSync(folder).filter((each) => each.endsWith('.ts'))) {
  const printed = [];
  console.log = (value) => printed.push(typeof value === 'string' ? value : JSON.stringify(value));
  try {
    await import(pathToFileURL(join(folder, name)).href);
    outcomes[name.replace('.ts', '')] = { ok: true, text: printed.join('\n') };
  } catch (error) {
    outcomes[name.replace('.ts', '')] = { ok: false, text: String(error) };
  }
}
log(JSON.stringify(outcomes));
