import { runTogether } from '../support/run-together.ts';

await runTogether('test/program/{closed-folder,configuration,hosted,one-data-dir}.test.ts');
