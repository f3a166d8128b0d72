import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { startMetricsServer } from '../../src/telemetry/metrics-server.ts';
import { readWitnessKey } from '../../src/verifier/log/note-key.ts';
import { CosignedCheckpoints } from '../../src/witness/cosigned-checkpoints.ts';
import { Witness } from '../../src/witness/witness.ts';
import { initWitness, openWitnessFolder, readCosigner } from '../../src/witness/witness-folder.ts';
import { WitnessMetrics } from '../../src/witness/witness-metrics.ts';
import { createWitnessServer } from '../../src/witness/witness-server.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { failureMessage } from '../terminal/error-message.ts';
import { givenPath } from '../terminal/given-path.ts';
import { printable } from '../terminal/printable.ts';

interface ServeOptions {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
}

/** Adds `witness`, which needs neither configuration nor database. */
export function addWitnessCommands(program: Command): void {
  const group = program
    .command('witness')
    .description('cosign the checkpoints of other logs, as an independent witness');
  const folder = ['--folder <folder>', 'folder of the witness', givenPath] as const;

  group
    .command('init')
    .description('make a witness: a folder with a new key; prints the public key')
    .requiredOption(...folder)
    .requiredOption('--name <name>', 'name of its key: a URL without scheme, example.com/witness')
    .action(async (options: { folder: string; name: string }) => {
      const { vkey } = await initWitness(options.folder, options.name);
      process.stdout.write(`${vkey}\n`);
    });

  group
    .command('key')
    .description('print the public key of the witness, for policies of others')
    .requiredOption(...folder)
    .action(async (options: { folder: string }) => {
      process.stdout.write(`${(await readCosigner(options.folder)).vkey}\n`);
    });

  group
    .command('serve')
    .description(
      'answer logs over HTTP until a signal ends it; reads the file "logs" only at its start',
    )
    .requiredOption(...folder)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0: any free one', wholeNumber, 8_470)
    .option(
      '--metrics-port <port>',
      'serve Prometheus metrics on this port; default: none',
      wholeNumber,
    )
    .option('--metrics-host <host>', 'address to serve metrics on', '127.0.0.1')
    .action(serve);
}

async function serve({ folder, host, port, ...metrics }: ServeOptions): Promise<void> {
  const { cosigner, logs, release, ...opened } = await openWitnessFolder(folder);
  const key = readWitnessKey(cosigner.vkey);
  if (key === null) throw new Error('the key of the witness is malformed');
  const checkpoints = new CosignedCheckpoints(opened.checkpoints, key);
  const measured = new WitnessMetrics({ key, logs: logs.map(({ name }) => name), checkpoints });
  const warned = new Set<string>();
  const onTwoRoots = (origin: string, note: string) => {
    measured.countTwoRoots(origin);
    if (warned.has(origin)) return;
    warned.add(origin);
    const what = `ALERT: ${printable(origin)} signed two roots of one size, which proves two histories. The other checkpoint:`;
    process.stderr.write(`${what}\n${note.split('\n').map(printable).join('\n')}\n`);
  };
  const witness = new Witness({ cosigner, logs, checkpoints, onTwoRoots });
  const onError = (error: unknown) => process.stderr.write(`error: ${failureMessage(error)}\n`);
  const onAnswer = (status: number) => measured.countAnswer(status);
  const server = createWitnessServer({ witness, checkpoints, onError, onAnswer });
  await using cleanUp = new AsyncDisposableStack();
  try {
    // Rejects for a damaged file now, not at the first request.
    for (const { name } of logs) await checkpoints.read(name);
    const ending = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    server.listen(port, host);
    await once(server, 'listening');
    const { port: listening } = server.address() as AddressInfo;
    const place = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
    process.stdout.write(`${cosigner.vkey}\nwitnesses ${logs.length} log keys at ${place}\n`);
    if (metrics.metricsPort !== undefined) {
      const address = { host: metrics.metricsHost, port: metrics.metricsPort };
      const { registry } = measured;
      const scraped = await startMetricsServer({ ...address, registry, notReady: async () => [] });
      cleanUp.defer(() => scraped.stop());
      process.stdout.write(`metrics are served on port ${scraped.port}\n`);
    }
    await ending;
    server.close();
    server.closeIdleConnections();
    await once(server, 'close');
  } finally {
    await release();
  }
}
