import { checkName } from '../name.ts';
import type { WorkspaceCreated, WorkspaceEvent } from './events.ts';

export function createWorkspace(order: WorkspaceCreated['data']): readonly WorkspaceEvent[] {
  return [{ type: 'WorkspaceCreated', data: { ...order, name: checkName('name', order.name) } }];
}
