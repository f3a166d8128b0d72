import type { Projection } from '../src/subscriptions/projection.ts';
import { access } from './access/project.ts';
import { agentRuns } from './agent-runs/project.ts';
import { anchors } from './anchors/project.ts';
import { certificates } from './certificates/project.ts';
import { checkpointAnchors } from './checkpoint-anchors/project.ts';
import { documents } from './documents/project.ts';
import { evidence } from './evidence/project.ts';
import { links } from './links/project.ts';
import { proofDays } from './proof-days/project.ts';
import { signIns } from './sign-ins/project.ts';
import { storage } from './storage/project.ts';
import { timestamps } from './timestamps/project.ts';
import { webhooks } from './webhooks/project.ts';
import { workspaces } from './workspaces/project.ts';

/** Every read model. A new one is added here. */
export const projections: readonly Projection[] = [
  access,
  agentRuns,
  anchors,
  certificates,
  checkpointAnchors,
  documents,
  evidence,
  links,
  proofDays,
  signIns,
  storage,
  timestamps,
  webhooks,
  workspaces,
];
