import type { WaitAction } from '@pegasus/contracts/print-queue/job-waits'

/** The part of a reason that contains its optional action. */
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
  filament_id: null,
  color: null,
  stl_file_id: null,
  ...target,
})
