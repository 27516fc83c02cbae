import { MINUTE_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type SlicerLimits, SlicerError } from '../../stl-library/index.ts'

/** Patterns for slicers' messages, each with a message that tells people what to do. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /could not fit|does not fit|fit(?:s)? (?:the|on).*bed|outside (?:of )?(?:the )?print (?:volume|area)|out of bounds/i,
    'The pieces do not fit on the bed of this profile. Slice fewer pieces, or choose a profile for a larger printer.',
  ],
  [
    /no layers|nothing to print|no extrusions|is empty|empty layers? (?:detected|between)/i,
    'The slicer finds nothing to print. The part may be thinner than the nozzle, or larger than the bed.',
  ],
  [
    /unknown (?:option|enum)|parsing failed|invalid value|failed to (?:load|parse)|not a valid config/i,
    'The slicer does not understand a setting of this profile. Export the profile again with the slicer version that the server has.',
  ],
  [
    /load(?:ing)? of a model file failed|cannot be loaded|failed to (?:read|open)/i,
    'The slicer cannot read this model. Repair the model, and upload it as a new version.',
  ],
]

const MAX_QUOTED = 200

/**
 * Returns why a slicing failed, as a readable message that tells people what to do. Returns null for an error that may
 * be temporary, so that another attempt makes sense.
 */
export function sentenceOf(error: unknown, limits: SlicerLimits): string | null {
  if (error instanceof AppError && error.code === 'SLICE_REJECTED')
    return `The result cannot be used: ${error.message}`
  if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return 'The model is in the trash.'
  if (!(error instanceof SlicerError)) return null
  switch (error.kind) {
    case 'time':
      return `The slicer took longer than ${Math.round(limits.deadlineMs / MINUTE_MS) || 1} min. Choose a profile with thicker layers or without supports.`
    case 'size':
      return 'The result is too large. Choose a profile with thicker layers, or slice fewer pieces.'
    case 'memory':
      return 'The slicer needs more memory than the server gives it. Slice fewer pieces, or a model with fewer triangles.'
    case 'missing':
      return 'The slicer of this server could not be started. An administrator should check SLICER_PATH.'
    case 'empty':
    case 'failed':
      return ADVICE.find(([said]) => said.test(error.complaint))?.[1] ?? quote(error)
  }
}

/** Returns the last line that the slicer wrote, without paths on the server. */
function quote({ complaint, kind }: SlicerError): string {
  const lines = complaint
    .split('\n')
    .map((line) => line.replaceAll(/\S*[/\\]\S*/g, '…').trim())
    .filter((line) => line !== '' && !/\[(?:trace|debug|info)\]/.test(line))
  const last = lines.at(-1)?.slice(0, MAX_QUOTED)
  if (last) return `The slicer stopped with an error: ${last}`
  return kind === 'empty'
    ? 'The slicer produced no file. To check the profile, slice with it on a computer.'
    : 'The slicer stopped without giving a reason. To check the profile, slice with it on a computer.'
}
