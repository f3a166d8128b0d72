import { runTogether } from '../support/run-together.ts';

// The simulations, and the faults with them, take longest: each has a process of its own.
await runTogether(
  'test/anchoring-state/*.test.ts',
  'test/reactors/{attesting,erasing,succeeding,sweep,timestamping,webhooks}/*.test.ts',
  'test/timestamps/*.test.ts',
  'test/reactors/anchoring/[!f]*.test.ts',
  'test/reactors/anchoring/simulation/*.test.ts',
);
