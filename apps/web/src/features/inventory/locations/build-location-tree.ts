import type { Location } from '@pegasus/contracts/inventory/locations'

/** A location and its depth in the tree; the root has depth 0. */
export interface TreeRow {
  location: Location
  depth: number
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
  const byName = (a: Location, b: Location) =>
    a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' })
  const rowsIn = (parent: string | null, depth: number): TreeRow[] =>
    (children.get(parent) ?? [])
      .toSorted(byName)
      .flatMap((location) => [{ location, depth }, ...rowsIn(location.id, depth + 1)])
  return rowsIn(null, 0)
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
