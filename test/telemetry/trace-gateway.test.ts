import { test } from 'tap';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import type { Trace } from '../../src/telemetry/contract.ts';
import { traceGateway } from '../../src/telemetry/trace-gateway.ts';
import { createScriptedGateway } from '../support/scripted-gateway.ts';

test('a traced submission is the same one, and its span has the result', async (t) => {
  const received: unknown[] = [];
  const gateway: LedgerGateway = {
    ...createScriptedGateway('testnet'),
    async submit(...all) {
      received.push(...all);
      return { engineResult: 'tesSUCCESS', message: '', validatedLedger: 7 };
    },
  };
  const noted: object[] = [];
  const set = (attributes: object) => noted.push(attributes);
  const trace: Trace = (_span, work) => work({ set } as never);
  const isWanted = () => true;
  const answer = await traceGateway(gateway, trace).submit('00', 2, isWanted);
  t.strictSame(received, ['00', 2, isWanted]);
  t.equal(answer.validatedLedger, 7);
  t.strictSame(noted, [{ 'proofmark.ledger.engine_result': 'tesSUCCESS' }]);
});
