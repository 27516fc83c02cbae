import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { lockPlateWithJob, isByHand } from './lock-plate.ts'
import { changePlate } from './plates.queries.ts'
import { updatePlate } from './report-plate.ts'

/**
 * Pauses or resumes a plate. For a network printer, only saves a command, which the connector carries out. The
 * connector then reports the new state. A plate of an agent cannot be paused, because agents get no commands and the
 * print would continue. Throws PLATE_NOT_FOUND, or PRINT_JOB_STATE.
 */
export async function pausePlate(
  tx: Queryable,
  plateId: string,
  command: 'pause' | 'resume',
  by: AuditContext,
): Promise<void> {
  const held = await lockPlateWithJob(tx, plateId)
  const { plate } = held
  if (plate.state !== (command === 'pause' ? 'printing' : 'paused'))
    throw new AppError('PRINT_JOB_STATE', {
      text:
        command === 'pause'
          ? `Plate ${plate.number} is not printing now, so it cannot be paused.`
          : `Plate ${plate.number} is not paused.`,
    })
  if (command === 'pause' && plate.agent !== null)
    throw new AppError('PRINT_JOB_STATE', {
      text: `${plate.agent} prints plate ${plate.number}. An agent cannot be told to pause, so pause the print at the printer.`,
    })
  if (isByHand(held))
    return updatePlate(tx, plateId, { state: command === 'pause' ? 'paused' : 'printing' }, by)
  await changePlate(tx, plateId, { command, command_refusal: null, command_failed_at: null })
  await publish(tx, { type: 'updated', entity: 'print_job', id: plate.print_job_id })
}
