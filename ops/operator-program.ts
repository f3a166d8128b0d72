import { Command } from 'commander';

type AddCommands = (program: Command) => void;

/** Command groups in the order of the help; each is imported when needed. */
const groups: Readonly<Record<string, () => Promise<AddCommands>>> = {
  organisation: async () => (await import('./commands/organisation.ts')).addOrganisationCommands,
  workspace: async () => (await import('./commands/workspace.ts')).addWorkspaceCommands,
  owner: async () => (await import('./commands/owner.ts')).addOwnerCommands,
  key: async () => (await import('./commands/key.ts')).addKeyCommands,
  actions: async () => (await import('./commands/actions.ts')).addActionsCommand,
  keyring: async () => (await import('./commands/keyring.ts')).addKeyringCommands,
  issuer: async () => (await import('./commands/issuer.ts')).addIssuerCommands,
  ledger: async () => (await import('./commands/ledger.ts')).addLedgerCommands,
  storage: async () => (await import('./commands/storage.ts')).addStorageCommands,
  projection: async () => (await import('./commands/projection.ts')).addProjectionCommands,
  log: async () => (await import('./commands/log.ts')).addLogCommands,
  audit: async () => (await import('./commands/audit.ts')).addAuditCommands,
  witness: async () => (await import('./commands/witness.ts')).addWitnessCommands,
  xpop: async () => (await import('./commands/xpop.ts')).addXpopCommand,
  'tlog-proof': async () => (await import('./commands/tlog-proof.ts')).addTlogProofCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
};

/** The commands of the named group, or of all groups if there is no such group. */
export async function operatorProgram(group?: string): Promise<Command> {
  const program = new Command('ops')
    .description('Operates Proofmark. Uses the configuration of the service, which may be running.')
    .showHelpAfterError('(add --help to see all commands and options)')
    .configureHelp({ showGlobalOptions: true });

  const named = group !== undefined && Object.hasOwn(groups, group) ? groups[group] : undefined;
  for (const load of named ? [named] : Object.values(groups)) (await load())(program);
  return program;
}
