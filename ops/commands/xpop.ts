import { type Command, Option } from 'commander';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import { isVisible } from '../../src/domain/proof/state.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { viewXpop, type XpopForm, xpopForms } from '../../src/views/view-xpop.ts';
import { operation } from '../session/operation.ts';
import { idArgument } from '../terminal/arguments.ts';
import { givenPath } from '../terminal/given-path.ts';

const ownerOnly = 0o600;

interface Options {
  readonly out?: string;
  readonly form: XpopForm;
}

export function addXpopCommand(program: Command): void {
  const xpop = program
    .command('xpop')
    .description('write a proof as an XPOP (XLS-41), for verification programs of others')
    .argument('<proof>', 'the proof', idArgument<ProofId>)
    .option('--out <file>', 'write it to this file; default: print it', givenPath)
    .addOption(
      new Option(
        '--form <form>',
        'form of the path to the transaction: nested lists, or nodes with children',
      )
        .choices(xpopForms)
        .default('list'),
    );
  operation<[ProofId], Options>(
    xpop,
    async ({ store }, [proofId], { out, form }) => {
      const { state } = await load(store, streams.proof(proofId), proofDecider);
      if (!isVisible(state)) throw new Refusal('PROOF_NOT_FOUND', `there is no proof ${proofId}`);
      const json = await viewXpop(store, state, form);
      const text = JSON.stringify(json);
      if (out === undefined) return { json, text };
      await replaceFile(out, `${text}\n`, ownerOnly);
      const publisherKey = String(json.validation.unl.public_key);
      const written = { file: out, bytes: text.length + 1, publisherKey };
      const advice = `ops verify --xpop ${out} --validator-list-key ${publisherKey}`;
      return {
        json: written,
        text: `the XPOP of proof ${proofId} is in ${out}; verify it with: ${advice}`,
      };
    },
    { onlyReads: true },
  );
}
