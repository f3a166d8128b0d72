import { runTogether } from '../support/run-together.ts';

await runTogether('test/program/{audit,first-start,operator,stranger}.test.ts');
