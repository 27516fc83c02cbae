import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../platform/database/database.ts'

interface LocationRow {
  id: string
  path: string
}

async function ensureLocation(
  tx: Queryable,
  place: { parent: LocationRow | null; kind: 'place' | 'bin'; name: string },
  now: Date,
): Promise<LocationRow> {
  const { parent, kind, name } = place
  const find = async (): Promise<LocationRow | undefined> => {
    const [row] = await tx<LocationRow[]>`
      select id, path from locations
      where parent_id is not distinct from ${parent?.id ?? null}::uuid and kind = ${kind}
        and lower(name) = lower(${name}) and deleted_at is null`
    return row
  }
  const known = await find()
  if (known) return known
  const path = parent ? `${parent.path} / ${name}` : name
  const [made] = await tx<LocationRow[]>`
    insert into locations (id, parent_id, kind, name, path, created_at, updated_at)
    values (${uuidv7()}, ${parent?.id ?? null}, ${kind}, ${name}, ${path}, ${now}, ${now})
    on conflict do nothing
    returning id, path`
  // Somebody else made it at the same moment, and it is there now.
  const location = made ?? (await find())
  if (!location) throw new Error(`location ${name} could not be made`)
  return location
}

/** The place of a path such as `Workshop / Rack A3`, and in it the bin, made where they are missing. */
export async function ensurePlace(
  tx: Queryable,
  place: { location: string | null; bin: string | null },
  now: Date,
): Promise<string | null> {
  let parent: LocationRow | null = null
  const names = (place.location ?? '').split(' / ').map((name) => name.trim())
  for (const name of names.filter((each) => each !== ''))
    parent = await ensureLocation(tx, { parent, kind: 'place', name }, now)
  const bin = place.bin?.trim()
  if (bin) parent = await ensureLocation(tx, { parent, kind: 'bin', name: bin }, now)
  return parent?.id ?? null
}
