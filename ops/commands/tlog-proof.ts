import type { Command } from 'commander';
import { tlogProofOf } from '../../src/certificates/tlog-proof.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { givenPath } from '../terminal/given-path.ts';
import { readEvidence } from '../verifying/read-evidence.ts';

const mode = 0o644;

interface Options {
  readonly bundle?: string;
  readonly certificate?: string;
  readonly out?: string;
}

/** Adds `tlog-proof`, which needs neither configuration nor database. */
export function addTlogProofCommand(program: Command): void {
  program
    .command('tlog-proof')
    .description(
      "write the proof that a certificate is in the issuer's log, for verification programs of others",
    )
    .option('--bundle <file>', 'the proof bundle (JSON)', givenPath)
    .option(
      '--certificate <file>',
      'the certificate (PDF) that contains the bundle, instead of --bundle',
      givenPath,
    )
    .option(
      '--out <file>',
      'write the proof to this file (.tlog-proof); default: print it',
      givenPath,
    )
    .action(async ({ out, ...given }: Options) => {
      const text = tlogProofOf(await readEvidence(given));
      if (text === null)
        throw new OperatorError("a bundle of version 1 contains no entry of the issuer's log");
      if (out === undefined) process.stdout.write(text);
      else await replaceFile(out, text, mode);
    });
}
