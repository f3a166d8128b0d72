import { spawnSync } from 'node:child_process';

/**
 * The commands of a shell block, one after the other, each with its continuation lines. Throws for text that is no
 * shell command.
 */
export function commandsIn(text: string): readonly string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    if (open === '' && (line.trim() === '' || line.startsWith('#'))) continue;
    open += open === '' ? line : `\n${line}`;
    if (/(\\|\||&&)\s*$/.test(line) || !isShell(open)) continue;
    commands.push(open);
    open = '';
  }
  if (open !== '') throw new Error(`not a shell command: ${open}`);
  return commands;
}

function isShell(text: string): boolean {
  return spawnSync('sh', ['-n'], { input: text }).status === 0;
}

/** The words of a simple command: quotes taken off, ends of lines joined, up to an operator of the shell. */
export function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  const joined = command.replaceAll('\\\n', ' ');
  const word = /\s*((?:"[^"]*"|'[^']*'|[^\s"'|&;()<>])+|[|&;()<>])/y;
  for (let match = word.exec(joined); match !== null; match = word.exec(joined)) {
    const [, found = ''] = match;
    if (/^[|&;()<>]$/.test(found)) break;
    words.push(found.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return words;
}
