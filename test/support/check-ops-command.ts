import { type Command, CommanderError } from 'commander';
import { operatorProgram } from '../../ops/operator-program.ts';

/** Sample values for the documents' placeholders that a command parses. */
const samples: readonly (readonly [RegExp, string])[] = [
  [/^(ADDRESS|\$ACCOUNT)$/, 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  [/^PUBLISHERKEY$/, `ED${'0'.repeat(64)}`],
  [/^(URL|\$LEDGER)$/, 'ws://127.0.0.1:6006'],
  [/^\$ROOT$/, 'https://proofs.example'],
  [/^(ID|KEY|PERSON|PROOF|\$ORGANISATION)$/, '01M7XT7TX5VQ3R4S5T6V7W8X9Y'],
  [/^NAME$/, 'documents'],
  [/^N$/, '7'],
  [
    /^(VKEY|\$LOG_KEY_LINE)$/,
    'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y+a72efa70+Ae1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR',
  ],
];

/** Checks an operator's command line without running it: the error message, or null if it is accepted. */
export async function checkOpsCommand(words: readonly string[]): Promise<string | null> {
  const program = await operatorProgram();
  disarm(program);
  const args = words.map((word) => samples.find(([form]) => form.test(word))?.[1] ?? word);
  const named = walk(program, args);
  if (named === null) return 'there is no such command';
  // A name without arguments refers to the command itself.
  if (named.rest.length === 0) return null;
  try {
    await program.parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return /^commander\.help/.test(error.code) ? null : error.message;
  }
}

function walk(program: Command, words: readonly string[]) {
  let command = program;
  const rest = [...words];
  while (command.commands.length > 0 && rest.length > 0 && !rest[0]?.startsWith('-')) {
    const name = rest.shift();
    const next = command.commands.find((each) => each.name() === name);
    if (next === undefined) return null;
    command = next;
  }
  return { command, rest };
}

function disarm(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  if (command.commands.length === 0) command.action(() => {});
  for (const each of command.commands) disarm(each);
}
