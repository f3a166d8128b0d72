import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/program/{certificates,certificates-hosted,documents,restored-certificates}.test.ts',
  'test/program/signed-certificates.test.ts',
  'test/program/{batch-kill,issuer,many-proofs,telemetry,webhooks}.test.ts',
);
