import { Command } from 'commander';
import { append } from './append.ts';
import { attesting } from './attesting.ts';
import { audit } from './audit.ts';
import { bulk } from './bulk/bulk.ts';
import { certificates } from './certificates/certificates.ts';
import { folder } from './folder/folder.ts';
import { hostile } from './hostile/hostile.ts';
import { limits } from './limits/limits.ts';
import { listing } from './listing/listing.ts';
import { proofs } from './proofs/proofs.ts';
import { publish } from './publish.ts';
import { rebuild } from './rebuild/rebuild.ts';
import { runs } from './runs/runs.ts';
import { start } from './start.ts';
import { telemetry } from './telemetry/telemetry.ts';
import { upload } from './upload/upload.ts';
import { webhooks } from './webhooks/webhooks.ts';

const program = new Command('bench')
  .description('Measures this service on this machine; prints one JSON document.')
  .showHelpAfterError('(add --help to see all commands and options)');

const benchmarks = [
  ...[
    append,
    attesting,
    audit,
    bulk,
    folder,
    proofs,
    upload,
    certificates,
    listing,
    runs,
    publish,
    rebuild,
  ],
  ...[webhooks, limits, hostile, telemetry, start],
];
for (const command of benchmarks) {
  program.addCommand(command.copyInheritedSettings(program));
}

await program.parseAsync();
