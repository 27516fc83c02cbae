import * as z from 'zod/mini'
import { pageQuery, searchText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { clearableText } from '../stl-library/upload.ts'

const { get, post, put, del } = declareEndpoints('locations')

/** Between the names of a path: `Workshop / Rack A3`. */
export const PATH_SEPARATOR = ' / '
export const LOCATION_NAME_MAX_LENGTH = 100
export const LOCATION_PATH_MAX_LENGTH = 500
export const MAX_LOCATION_DEPTH = 10

/** A place holds places and bins; a bin holds none. */
export const LOCATION_KINDS = ['place', 'bin'] as const
export type LocationKind = (typeof LOCATION_KINDS)[number]

/** Somewhere things lie. The tree is told by `parent_id`. */
export const location = z.object({
  id: z.uuid(),
  /** What its label says and a scanner reads: `L-0007`. */
  label_code: z.string(),
  parent_id: z.nullable(z.uuid()),
  kind: z.enum(LOCATION_KINDS),
  name: z.string(),
  /** Names from the root down, its own last. */
  path: z.string(),
  notes: z.nullable(z.string()),
  /** Items, spools and printers that lie right here; what its places and bins hold is theirs. */
  item_count: z.number(),
  spool_count: z.number(),
  printer_count: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: z.nullable(timestamp),
  /** What `If-Match` wants, in quotes. */
  revision: z.number(),
})
export type Location = z.output<typeof location>

export const listLocations = get('/api/locations', 'signed-in', {
  summary: 'Locations by their paths, places before what they hold',
  query: z.object({
    ...pageQuery,
    /** Longer than other lists': it names the path that comes last. */
    cursor: z.optional(z.string().check(z.maxLength(8000, 'cursor is too long'))),
    /** Each word must occur in the path, or be the label code. */
    search: searchText,
    /** Only what this place holds itself. */
    parent_id: z.optional(z.uuid('parent_id is not an id')),
    /** The bin instead of the tree. */
    deleted: z.optional(z.enum(['true'], 'deleted is true or absent')),
  }),
  returns: z.array(location),
})

export const getLocation = get('/api/locations/:id', 'signed-in', {
  summary: 'One location, with its ETag',
  returns: location,
  errors: ['LOCATION_NOT_FOUND'],
})

const named = { id: z.uuid(), label_code: z.string(), name: z.string() }

/** What lies in a location and in all that it holds, each with its place; at most 1,000 of each. */
export const locationContents = z.object({
  locations: z.array(location),
  items: z.array(
    z.object({
      ...named,
      sku: z.string(),
      quantity: z.number(),
      reserved_quantity: z.number(),
      reorder_point: z.number(),
      location_id: z.uuid(),
      location_path: z.string(),
    }),
  ),
  spools: z.array(z.object({ ...named, location_id: z.uuid(), location_path: z.string() })),
  printers: z.array(
    z.object({ id: z.uuid(), name: z.string(), location_id: z.uuid(), location_path: z.string() }),
  ),
})
export type LocationContents = z.output<typeof locationContents>

export const getLocationContents = get('/api/locations/:id/contents', 'signed-in', {
  summary: 'What lies in a location and below it',
  returns: locationContents,
  errors: ['LOCATION_NOT_FOUND'],
})

const locationName = z.string('Name is required').check(
  z.trim(),
  z.minLength(1, 'Name is required'),
  z.maxLength(LOCATION_NAME_MAX_LENGTH, `Name has at most ${LOCATION_NAME_MAX_LENGTH} characters`),
  z.refine((text) => !text.includes('\0'), 'Name holds a character that no text has'),
  // A path is read back into names.
  z.refine(
    (text) => !` ${text} `.includes(PATH_SEPARATOR),
    'A name holds no “ / ” and neither begins nor ends with a slash: that is how a path is written',
  ),
)

const parentId = z.optional(z.nullable(z.uuid('parent_id is not an id')))

export const createLocationBody = z.object({
  name: locationName,
  kind: z._default(z.enum(LOCATION_KINDS, `kind is one of ${LOCATION_KINDS.join(', ')}`), 'place'),
  /** The place that it is in; none at the root. */
  parent_id: parentId,
  notes: clearableText(2000, 'Notes'),
})
export type CreateLocationBody = z.output<typeof createLocationBody>

const TREE_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'LOCATION_NOT_FOUND',
  'LOCATION_TAKEN',
  'LOCATION_INVALID',
  'INVALID_INPUT',
] as const

export const createLocation = post('/api/locations', 'staff', {
  summary: 'Add a place or a bin',
  body: createLocationBody,
  creates: location,
  errors: [...TREE_ERRORS, 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

/** Renaming and moving keep what lies there; the paths of all below follow. What is absent stays. */
export const updateLocationBody = z.object({
  name: z.optional(locationName),
  parent_id: parentId,
  notes: clearableText(2000, 'Notes'),
})
export type UpdateLocationBody = z.output<typeof updateLocationBody>

export const updateLocation = put('/api/locations/:id', 'staff', {
  summary: 'Rename a location, or move it in the tree',
  body: updateLocationBody,
  returns: location,
  errors: [...TREE_ERRORS, 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

export const deleteLocation = del('/api/locations/:id', 'staff', {
  summary: 'Put an empty location into the bin, which keeps it for 30 days',
  current: location,
  errors: ['LOCATION_NOT_FOUND', 'LOCATION_IN_USE', 'PRECONDITION_FAILED'],
})

export const restoreLocation = post('/api/locations/:id/restore', 'staff', {
  summary: 'Take a location out of the bin',
  returns: location,
  errors: ['LOCATION_NOT_FOUND', 'LOCATION_TAKEN', 'LOCATION_INVALID'],
})
