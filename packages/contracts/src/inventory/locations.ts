import * as z from 'zod/mini'
import {
  clearableId,
  clearableText,
  deletedOnly,
  nullable,
  optionalId,
  requiredText,
  searchText,
  trashableTimes,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, list, declareWrites, declareTrash } = declareEndpoints('locations', {
  notFound: 'LOCATION_NOT_FOUND',
})

/** Separates the names in a path: `Workshop / Rack A3`. */
export const PATH_SEPARATOR = ' / '
export const LOCATION_NAME_MAX_LENGTH = 100
export const LOCATION_PATH_MAX_LENGTH = 500
export const MAX_LOCATION_DEPTH = 10

/** A place contains places and storage bins. A bin contains no other location. */
export const LOCATION_KINDS = ['place', 'bin'] as const
export type LocationKind = (typeof LOCATION_KINDS)[number]

/** A location. The locations form a tree through their `parent_id`. */
export const location = z.object({
  id: z.uuid(),
  /** The code on the location's label, such as `L-0007`. */
  label_code: z.string(),
  parent_id: nullable.id,
  kind: z.enum(LOCATION_KINDS),
  name: z.string(),
  /** The names from the root down to this location. */
  path: z.string(),
  notes: nullable.text,
  /** Number of items that are directly in this location, not in a location below it. */
  item_count: z.number(),
  spool_count: z.number(),
  printer_count: z.number(),
  ...trashableTimes,
  /** Clients send it in quotes as `If-Match` when they change the location. */
  revision: z.number(),
})
export type Location = z.output<typeof location>

export const listLocations = list('/api/locations', 'signed-in', {
  summary: 'Locations by path, parents before their children',
  filter: {
    /** The cursor is longer than in other lists, because it contains the last path. */
    cursor: z.optional(z.string().check(z.maxLength(8000, 'cursor is too long'))),
    /** Each word must occur in the path, or be the label code. */
    search: searchText,
    /** Lists only direct children of this location. */
    parent_id: optionalId('parent_id'),
    /** Lists the trash instead of the tree. */
    deleted: deletedOnly,
  },
  of: location,
})

export const getLocation = get('/api/locations/:id', 'signed-in', {
  summary: 'One location, with its ETag',
  returns: location,
})

const named = { id: z.uuid(), label_code: z.string(), name: z.string() }

/**
 * Contents of a location and of all locations below it. Each object has its own location. There are at most
 * 1,000 objects of each kind.
 */
const locationContents = z.object({
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
  summary: 'Contents of a location, including all locations inside it',
  returns: locationContents,
})

const locationName = requiredText(LOCATION_NAME_MAX_LENGTH, 'Name').check(
  // A path is split into names at the separator, so a name must not contain the separator.
  z.refine(
    (text) => !` ${text} `.includes(PATH_SEPARATOR),
    'A name must not contain “ / ”, and must not begin or end with a slash, because slashes separate the names in a path',
  ),
)

const parentId = clearableId('parent_id')

export const createLocationBody = z.object({
  name: locationName,
  kind: z._default(z.enum(LOCATION_KINDS, `kind must be one of ${LOCATION_KINDS.join(', ')}`), 'place'),
  /** The location that contains this one. Null at the root. */
  parent_id: parentId,
  notes: clearableText(2000, 'Notes'),
})
export type CreateLocationBody = z.output<typeof createLocationBody>

/**
 * Renaming and moving a location keep its contents, and also change the paths of all locations below it.
 * Missing fields stay unchanged.
 */
export const updateLocationBody = z.object({
  name: z.optional(locationName),
  parent_id: parentId,
  notes: clearableText(2000, 'Notes'),
})
export type UpdateLocationBody = z.output<typeof updateLocationBody>

export const { create: createLocation, update: updateLocation } = declareWrites('/api/locations', 'staff', {
  returns: location,
  create: {
    summary: 'Add a place or a storage bin',
    body: createLocationBody,
    errors: ['LOCATION_NOT_FOUND', 'MALFORMED_REQUEST'],
  },
  update: { summary: 'Rename a location, or move it in the tree', body: updateLocationBody },
  errors: ['LOCATION_TAKEN', 'LOCATION_INVALID'],
})

export const { remove: deleteLocation, restore: restoreLocation } = declareTrash('/api/locations', 'staff', {
  name: 'an empty location',
  returns: location,
  remove: ['LOCATION_IN_USE'],
  restore: ['LOCATION_TAKEN', 'LOCATION_INVALID'],
})
