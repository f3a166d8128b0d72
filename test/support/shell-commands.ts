import { spawnSync } from 'node:child_process';

/**
 * Splits a shell block into commands with their continuation lines. Throws if the text is no shell command.
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

/** Words of a simple command without quotes and line continuations, up to the first shell operator. */
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
