import type { WaitAction } from '@pegasus/contracts/print-queue/job-waits'

/** The action of a reason. Empty if the reason has no action. */
export interface ActionParts {
  action?: WaitAction
}

export const actionOf = (
  kind: WaitAction['kind'],
  label: string,
  target: Partial<Omit<WaitAction, 'kind' | 'label'>> = {},
): WaitAction => ({
  kind,
  label,
  printer_id: null,
  slot: null,
  replaces: null,
  filament_id: null,
  color: null,
  stl_file_id: null,
  ...target,
})

/**
 * Returns the action to open the model of a job, with a label that is by default about slicing. Empty if the job has no
 * model.
 */
export const sliceAction = (
  { stl_file_id: modelId }: { stl_file_id: string | null },
  label = 'Slice for this printer',
): ActionParts => (modelId === null ? {} : { action: actionOf('slice', label, { stl_file_id: modelId }) })
