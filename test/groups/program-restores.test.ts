import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/program/{earlier-release,erase,published-log,rebuild,restore,restored}.test.ts',
);
