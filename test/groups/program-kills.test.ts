import { runTogether } from '../support/run-together.ts';

await runTogether('test/program/{attested,interrupt,kill,takeover,webhooks-kill}.test.ts');
