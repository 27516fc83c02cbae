import {
  LOCATION_NAME_MAX_LENGTH,
  type LocationKind,
  MAX_LOCATION_DEPTH,
  PATH_SEPARATOR,
} from '@pegasus/contracts/inventory/locations'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { type Branch, findBranch, insertLocation } from './locations.queries.ts'

/** A location in a request: its path, and the name of a storage bin in that location. */
export interface LocationPath {
  location: string | null
  bin: string | null
}

const refuse = (path: string, message: string): never => {
  throw new AppError('LOCATION_INVALID', { text: message, errors: [{ path, message }] })
}

function assertName(path: string, name: string): void {
  if (name.length > LOCATION_NAME_MAX_LENGTH)
    refuse(path, `A location's name can have at most ${LOCATION_NAME_MAX_LENGTH} characters.`)
}

async function ensureBranch(
  tx: Queryable,
  place: { parent: Branch | null; kind: LocationKind; name: string },
  now: Date,
): Promise<Branch> {
  const { parent, kind, name } = place
  const asked = { parentId: parent?.id ?? null, kind, name }
  const known = await findBranch(tx, asked)
  if (known) return known
  const path = parent ? `${parent.path}${PATH_SEPARATOR}${name}` : name
  const id = uuidv7()
  const made = await insertLocation(tx, { id, ...asked, path, notes: null, now })
  // Another transaction has just created the location, so read it.
  const location = made ? { id, path } : await findBranch(tx, asked)
  if (!location) throw new Error(`location ${name} could not be made`)
  if (made) await publish(tx, { type: 'created', entity: 'location', id })
  return location
}

/** Splits the path of a location into its names, and trims the name of its storage bin. Throws LOCATION_INVALID. */
export function parseLocationPath({ location, bin: binName }: LocationPath): {
  names: string[]
  bin: string
} {
  const names = (location ?? '')
    .split(PATH_SEPARATOR)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const bin = binName?.trim() ?? ''
  const depth = names.length + (bin === '' ? 0 : 1)
  if (depth > MAX_LOCATION_DEPTH)
    refuse('location', `Locations can be nested at most ${MAX_LOCATION_DEPTH} levels deep.`)
  for (const name of names) assertName('location', name)
  assertName('bin_location', bin)
  return { names, bin }
}

/**
 * Finds the location with a path such as `Workshop / Rack A3`, and the storage bin in it. Creates what is missing.
 * Until the transaction ends, the locations cannot be deleted or renamed. Returns the id of the innermost location, or
 * null if no location is given. Throws LOCATION_INVALID.
 */
export async function ensureLocation(tx: Queryable, place: LocationPath, now: Date): Promise<string | null> {
  const { names, bin } = parseLocationPath(place)
  let parent: Branch | null = null
  for (const name of names) parent = await ensureBranch(tx, { parent, kind: 'place', name }, now)
  if (bin !== '') parent = await ensureBranch(tx, { parent, kind: 'bin', name: bin }, now)
  return parent?.id ?? null
}
