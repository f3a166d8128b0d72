import { runTogether } from '../support/run-together.ts';

// In a group because groups start first: these take longest.
await runTogether('test/pages/{browser,console}.test.ts');
