import type { Location } from '@pegasus/contracts/inventory/locations'
import { compareNames } from '@/lib/i18n/compare-names.ts'

/** A location in the tree. */
export interface TreeRow {
  location: Location
  /** Depth in the tree; 0 for a location at the root. */
  depth: number
  /** Number of locations inside it, on all levels. */
  inside: number
}

/** Returns locations in display order: each parent before its children, siblings by name. */
export function buildLocationTree(locations: readonly Location[]): TreeRow[] {
  const ids = new Set(locations.map(({ id }) => id))
  const children = new Map<string | null, Location[]>()
  for (const location of locations) {
    const parent = location.parent_id
    // A location whose parent is missing from the list is shown at the root.
    const key = parent !== null && ids.has(parent) ? parent : null
    children.set(key, [...(children.get(key) ?? []), location])
  }
  const byName = (a: Location, b: Location) => compareNames(a.name, b.name)
  const rowsIn = (parent: string | null, depth: number): TreeRow[] =>
    (children.get(parent) ?? []).toSorted(byName).flatMap((location) => {
      const below = rowsIn(location.id, depth + 1)
      return [{ location, depth, inside: below.length }, ...below]
    })
  return rowsIn(null, 0)
}

/** Returns the rows of the tree without those inside a collapsed location. */
export function hideCollapsed(rows: readonly TreeRow[], collapsed: ReadonlySet<string>): TreeRow[] {
  const shown: TreeRow[] = []
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]
    if (!row) break
    shown.push(row)
    if (collapsed.has(row.location.id)) at += row.inside
  }
  return shown
}

/** Returns the ids of the locations that contain the location with this id. */
export function ancestorsOf(locations: readonly Location[], id: string | null): string[] {
  const byId = new Map(locations.map((location) => [location.id, location]))
  const ids: string[] = []
  let parent = byId.get(id ?? '')?.parent_id
  while (parent && byId.has(parent)) {
    // Prevents an endless loop if the data contained a cycle, although the server refuses cycles.
    if (ids.includes(parent)) break
    ids.push(parent)
    parent = byId.get(parent)?.parent_id
  }
  return ids
}

/** Returns the places that `moved` can be put into. The location itself and its descendants are left out. */
export function listPossibleParents(locations: readonly Location[], moved: Location | null): Location[] {
  const rows = buildLocationTree(locations)
  const from = rows.findIndex(({ location }) => location.id === moved?.id)
  const depth = rows[from]?.depth ?? 0
  const after = rows.findIndex((row, index) => index > from && row.depth <= depth)
  const end = after < 0 ? rows.length : after
  const isInside = (index: number) => from >= 0 && index >= from && index < end
  return rows
    .filter(({ location }, index) => location.kind === 'place' && !isInside(index))
    .map(({ location }) => location)
}
