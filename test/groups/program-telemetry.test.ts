import { runTogether } from '../support/run-together.ts';

await runTogether('test/program/{many-proofs,telemetry,webhooks}.test.ts');
