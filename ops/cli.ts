import { operate } from './operate.ts';

// The reader of the output may stop before its end, such as `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exitCode = 1;
});

await operate(process.argv);
