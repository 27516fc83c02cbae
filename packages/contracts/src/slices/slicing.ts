import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import {
  actor,
  clearableText,
  nullable,
  positiveNumber,
  requiredText,
  timestamp,
  trashableTimes,
  wholeNumber,
} from '../fields.ts'

/** Slicing on the server: profiles of the slicer, and models that are sliced with them. */
const profiles = declareEndpoints('slices', { notFound: 'PROFILE_NOT_FOUND' })
const ofModel = declareEndpoints('slices', { notFound: 'MODEL_NOT_FOUND' })

export const MAX_PROFILE_LENGTH = 500_000
/** Maximum number of copies of the model on one plate. */
export const MAX_SLICED_PIECES = 1000

/** Settings of the slicer for one kind of printer. */
const slicerProfile = z.object({
  id: z.uuid(),
  name: z.string(),
  printer_model: nullable.text,
  nozzle_mm: nullable.number,
  material: nullable.text,
  layer_height_mm: nullable.number,
  revision: z.number(),
  ...trashableTimes,
})
export type SlicerProfile = z.output<typeof slicerProfile>

export const listSlicerProfiles = profiles.get('/api/slicer-profiles', 'signed-in', {
  summary: 'The profiles of the slicer by name, and whether the server has a slicer',
  returns: z.object({ is_available: z.boolean(), profiles: z.array(slicerProfile) }),
})

const profileFields = {
  printer_model: clearableText(100, 'Printer model'),
  nozzle_mm: z.optional(z.nullable(positiveNumber('Nozzle', 10, ' mm'))),
  material: clearableText(100, 'Material'),
}

export const createSlicerProfileBody = z.object({
  name: requiredText(100, 'Name'),
  /** The settings as PrusaSlicer exports them with `File, Export, Export Config`. */
  settings: requiredText(MAX_PROFILE_LENGTH, 'Settings'),
  /** Printer model, nozzle and material. The defaults are the values in the settings. */
  ...profileFields,
})
export type CreateSlicerProfileBody = z.output<typeof createSlicerProfileBody>

export const createSlicerProfile = profiles.post('/api/slicer-profiles', 'staff', {
  summary: 'Add a profile; settings that run programs or name files are left out',
  body: createSlicerProfileBody,
  creates: z.extend(slicerProfile, {
    /** Names of settings that were left out. */
    left_out: z.array(z.string()),
  }),
  errors: ['PROFILE_INVALID', 'PROFILE_NAME_TAKEN', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSlicerProfileBody = z.object({
  name: z.optional(requiredText(100, 'Name')),
  ...profileFields,
})
export type UpdateSlicerProfileBody = z.output<typeof updateSlicerProfileBody>

export const updateSlicerProfile = profiles.put('/api/slicer-profiles/:id', 'staff', {
  summary: 'Rename a profile, or change its printer and material',
  body: updateSlicerProfileBody,
  returns: slicerProfile,
  errors: ['PROFILE_NAME_TAKEN', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED', 'MALFORMED_REQUEST'],
})

export const { remove: deleteSlicerProfile, restore: restoreSlicerProfile } = profiles.declareTrash(
  '/api/slicer-profiles',
  'staff',
  { name: 'a slicer profile', returns: slicerProfile, restore: ['PROFILE_NAME_TAKEN'] },
)

export const SLICING_STATES = ['pending', 'done', 'failed', 'cancelled'] as const
export type SlicingState = (typeof SLICING_STATES)[number]

/** One run of the slicer on a version of a model with a profile. */
const slicing = z.object({
  id: z.uuid(),
  profile_id: z.uuid(),
  profile_name: z.string(),
  /** Number of copies of the model on the plate. */
  pieces: z.number(),
  state: z.enum(SLICING_STATES),
  /** Why the slicing failed, as a readable message. */
  detail: nullable.text,
  /** The sliced file that the slicer produced. */
  slice_id: nullable.id,
  actor,
  created_at: timestamp,
  finished_at: nullable.timestamp,
})
export type Slicing = z.output<typeof slicing>

export const listSlicings = ofModel.get('/api/stl-files/:id/slicings', 'signed-in', {
  summary: 'The last 20 slicing runs of a model, newest first',
  returns: z.array(slicing),
})

export const startSlicingBody = z.object({
  profile_id: z.uuid('Please choose a profile.'),
  pieces: wholeNumber('Pieces', 1, MAX_SLICED_PIECES),
})
export type StartSlicingBody = z.output<typeof startSlicingBody>

export const startSlicing = ofModel.post('/api/stl-files/:id/slicings', 'staff', {
  summary: 'Slice the current version of a model with a profile; the result is a sliced file of this version',
  body: startSlicingBody,
  success: { status: 202, body: slicing },
  errors: [
    'PROFILE_NOT_FOUND',
    'SLICER_MISSING',
    'SLICING_RUNS',
    'MALFORMED_REQUEST',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const cancelSlicing = ofModel.post('/api/stl-files/:id/slicings/:slicing_id/cancel', 'staff', {
  summary: 'Cancel a slicing run; a finished run stays unchanged',
  params: z.object({ id: z.uuid(), slicing_id: z.uuid() }),
  returns: slicing,
  errors: ['SLICING_NOT_FOUND'],
})
