import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from './blobs.ts';
import type { ProjectDocument } from './documents.ts';
import { opsIn } from './operator.ts';
import { projectRoot, run } from './run.ts';
import { isThorough } from './run-count.ts';
import { commandsIn } from './shell-commands.ts';

/** Values of a reader who follows guides: shell variables, and replacements of placeholders. */
export interface Reader {
  readonly folder: string;
  /** Variables kept between commands, learned from answers. */
  readonly variables: Record<string, string>;
  /** Commands that have generated a client. */
  readonly generated: Set<string>;
  /** Variables that no guide may change. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Texts of guides, each with the reader's replacement. */
  readonly replacements: readonly (readonly [
    RegExp,
    (variables: Record<string, string>) => string,
  ])[];
}

const linked = ['package.json', 'node_modules', 'src', 'ops', 'projections', 'migrations'];

/** A folder with links to the project's files, in which commands may write. */
export async function newReader(
  t: Pick<Test, 'teardown'>,
  given: Pick<Reader, 'fixed' | 'replacements'>,
): Promise<Reader> {
  const folder = join(await newFolder(t), 'project');
  await mkdir(folder);
  for (const name of linked) await symlink(join(projectRoot, name), join(folder, name));
  for (const name of ['README.md', 'LICENSE']) {
    await writeFile(join(folder, name), await readFile(join(projectRoot, name)));
  }
  return { folder, variables: { ...given.fixed }, generated: new Set(), ...given };
}

const opsStart = 'npm run --silent ops -- ';
const clientStart = 'npm run client -- ';

/**
 * Runs all shell commands of a guide in order, against a started service. Returns the outputs. Rejects if a
 * command fails or an answer of the API is an error.
 *
 * Unless `CI` is set, the first operator's command runs through npm and the others run in the process that
 * operator's commands share. A client is then generated once for all guides of a reader.
 */
export async function followGuide(
  t: Pick<Test, 'teardown'>,
  guide: Pick<ProjectDocument, 'blocks'>,
  reader: Reader,
): Promise<readonly string[]> {
  const outputs: string[] = [];
  let isFirst = true;
  for (const { place, text } of guide.blocks.filter(({ language }) => language === 'sh')) {
    for (const written of commandsIn(text)) {
      if (/^npm ci\b/.test(written)) continue;
      const command = reader.replacements.reduce(
        (line, [form, value]) => line.replaceAll(form, value(reader.variables)),
        written,
      );
      if (command.startsWith(clientStart) && !isThorough) {
        if (reader.generated.has(command)) continue;
        reader.generated.add(command);
      }
      if (command.startsWith(opsStart)) {
        if (!isFirst && !isThorough) {
          outputs.push(await operate(t, reader, `${place}: ${command}`, command));
          continue;
        }
        isFirst = false;
      }
      const saved = join(reader.folder, 'variables');
      const script = `set -eu\n${command}\nenv -0 >variables`;
      const options = { cwd: reader.folder, env: { ...reader.variables, ...reader.fixed } };
      const { code, stdout, stderr } = await run(t, ['sh', '-c', script], options).ended;
      if (code !== 0) throw new Error(`${place}: ${command}\n${stdout}${stderr}`);
      Object.assign(reader.variables, readVariables(await readFile(saved, 'utf8')), reader.fixed);
      learn(reader.variables, stdout, `${place}: ${command}`);
      outputs.push(stdout);
    }
  }
  return outputs;
}

/** Runs an operator's command without npm, after a shell has expanded its variables. */
async function operate(
  t: Pick<Test, 'teardown'>,
  reader: Reader,
  place: string,
  command: string,
): Promise<string> {
  const env = { ...reader.variables, ...reader.fixed };
  const script = `set -eu\nprintf '%s\\0' ${command.slice(opsStart.length)}`;
  const words = await run(t, ['sh', '-c', script], { cwd: reader.folder, env }).ended;
  const args = words.stdout.split('\0').slice(0, -1);
  const { code, stdout, stderr } = await opsIn(t, { env, cwd: reader.folder }, ...args);
  if (code !== 0) throw new Error(`${place}\n${stdout}${stderr}`);
  learn(reader.variables, stdout, place);
  return stdout;
}

function readVariables(text: string): Record<string, string> {
  const all = text.split('\0').map((one): [string, string] => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)];
  });
  return Object.fromEntries(all.filter(([name]) => /^[A-Z][A-Z_]*$/.test(name)));
}

/** Variables with the member of an answer that sets each. */
const learned: readonly (readonly [string, string, string?])[] = [
  ['PROOF_ID', 'proofId'],
  ['TX_HASH', 'txHash'],
  ['PROOF_NONCE', 'proofNonce'],
  ['DOCUMENT_ID', 'documentId'],
  ['WEBHOOK_ID', 'id', 'secret'],
  ['KEY_ID', 'id', 'key'],
];

function learn(variables: Record<string, string>, stdout: string, place: string): void {
  for (const text of stdout.split(/(?<=\})(?=\{"success")/)) {
    if (!text.startsWith('{"success"')) {
      const [id] = /\b01[0-9A-Z]{24}\b/.exec(text) ?? [];
      // Commands about keys and workspaces print ids of these.
      if (id !== undefined && / organisation /.test(place)) variables.ORGANISATION = id;
      continue;
    }
    const answer = JSON.parse(text);
    if (answer.success !== true) throw new Error(`${place}\n${text}`);
    const { data } = answer;
    // Later commands could not use the transaction of an unfinished proof: it may still change.
    if (['pending', 'processing'].includes(data.blockchainStatus)) continue;
    for (const [variable, member, besides] of learned) {
      const value = data[member];
      if (typeof value !== 'string' || (besides !== undefined && !(besides in data))) continue;
      variables[variable] = value;
    }
  }
}
