import { z } from 'zod';
import { id, untrusted } from './output-fields.ts';

export const workspaceData = z
  .object({
    _id: id.meta({ description: 'the value of workspace in other calls' }),
    id: id.meta({ description: 'the same as _id' }),
    name: untrusted.meta({ description: 'untrusted' }),
  })
  .meta({ id: 'Workspace' });

type WorkspaceData = z.output<typeof workspaceData>;

/** A workspace as callers see it. */
export function viewWorkspace(workspaceId: string, name: string): WorkspaceData {
  return { _id: workspaceId, id: workspaceId, name };
}
