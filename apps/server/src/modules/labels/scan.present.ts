import { hasRole } from '@pegasus/contracts/roles'
import type { ScanAction, Scanned } from '@pegasus/contracts/labels/scan'
import { PRINT_JOB_TRANSITIONS, type PrintJobStatus } from '@pegasus/contracts/statuses'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { picturePathOf } from '../stl-library/index.ts'
import type { Found, JobFound, PrinterFound } from './scan.queries.ts'

/**
 * The action that leads to each status. No action continues a job that has ended, because such a job is printed again
 * as a new job.
 */
const STEP_TO: Readonly<Partial<Record<PrintJobStatus, ScanAction>>> = {
  in_progress: 'start',
  completed: 'complete',
  failed: 'fail',
  on_hold: 'hold',
  pending: 'requeue',
  cancelled: 'cancel',
}

/**
 * Returns the possible actions for a print job. If network printers print all of its plates, nobody can complete it by
 * a scan.
 */
function jobActions({ status, plates }: JobFound): ScanAction[] {
  if (status === 'failed') return ['requeue']
  const isInPrint = plates.length > 0 && plates.every(({ can_complete: canComplete }) => !canComplete)
  return PRINT_JOB_TRANSITIONS[status]
    .flatMap((next) => STEP_TO[next] ?? [])
    .filter((action) => action !== 'complete' || !isInPrint)
}

/**
 * Returns the possible actions for a printer. On a manual printer or one with an agent, a person can clear a plate even
 * while it is recorded as printing.
 */
function printerActions({ state, printer_kind: kind, job_code: job }: PrinterFound): ScanAction[] {
  const isByHand = kind === 'manual' || kind === 'agent'
  const isPrinting = state === 'printing' || state === 'paused'
  return [
    ...(state === 'needs_clearing' || (isByHand && isPrinting && job !== null) ? (['clear'] as const) : []),
    'load',
    ...(state === 'maintenance' ? [] : (['maintenance'] as const)),
    ...(state === 'maintenance' || state === 'offline' || state === 'error' ? (['resume'] as const) : []),
  ]
}

/**
 * Returns the actions for a person who may change things. Opening the found object is not among them, because everybody
 * may do that.
 */
function changesOf(found: Found): ScanAction[] {
  switch (found.kind) {
    case 'item':
      return found.quantity > 0 ? ['take', 'put', 'count', 'move'] : ['put', 'count', 'move']
    case 'location':
      return ['move_here']
    case 'spool':
      if (found.status === 'archived') return []
      return found.remaining_grams > 0 ? ['use', 'weigh', 'move', 'load'] : ['weigh', 'move', 'load']
    case 'print_job':
      return jobActions(found)
    case 'printer':
      return printerActions(found)
    case 'order':
      return found.steps
    case 'model':
      return []
  }
}

interface Presentation {
  signer: PathSigner
  role: string
}

const pictureOf = (
  signer: PathSigner,
  modelId: string | null,
  hasPicture: boolean,
  pictureVersion: string | null = null,
): string | null =>
  hasPicture && modelId !== null ? picturePathOf(signer, { modelId, pictureVersion }) : null

/** Converts a found object to the format of the API, with the actions that this person may take. */
export function presentFound(found: Found, { signer, role }: Presentation): Scanned {
  const { id, code, name: title } = found
  const actions: ScanAction[] = ['open', ...(hasRole(role, 'staff') ? changesOf(found) : [])]
  const plain = { id, code, title, actions, thumbnail_path: null, color_hex: null }
  switch (found.kind) {
    case 'item':
      return {
        ...plain,
        kind: found.kind,
        thumbnail_path: pictureOf(signer, found.stl_file_id, found.has_picture),
        color_hex: found.color_hex,
        facts: { ...found, available_quantity: found.quantity - found.reserved_quantity },
      }
    case 'location':
      return { ...plain, kind: found.kind, facts: found }
    case 'spool':
      return { ...plain, kind: found.kind, color_hex: found.color_hex, facts: found }
    case 'print_job':
      return {
        ...plain,
        kind: found.kind,
        thumbnail_path: pictureOf(signer, found.stl_file_id, found.has_picture, found.picture_version),
        color_hex: found.color_hex,
        facts: found,
      }
    case 'printer':
      return { ...plain, kind: found.kind, facts: { ...found, slots: found.slots ?? 0 } }
    case 'order':
      return { ...plain, kind: found.kind, facts: found }
    case 'model':
      return {
        ...plain,
        kind: found.kind,
        thumbnail_path: pictureOf(signer, found.id, found.has_picture),
        facts: found,
      }
  }
}
