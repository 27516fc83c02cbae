import type { PrintOrder } from './connector.ts'
import type { PlateFile } from './dispatches.queries.ts'

/**
 * Returns the slot from which each tool of a plate prints, or null for a printer with one slot. The first
 * tool uses the spool that was chosen for the plate. Any other tool uses the slot with its own number, unless
 * only other slots have its material.
 */
export function slotsOfTools({ tools, slots }: Pick<PlateFile, 'tools' | 'slots'>): PrintOrder['slots'] {
  if (slots.length < 2) return null
  const [first = { tool: 0, material: null }, ...others] = tools.toSorted((a, b) => a.tool - b.tool)
  const hasMaterial = (slot: PlateFile['slots'][number], material: string | null): boolean =>
    material === null || slot.material?.toLowerCase() === material.toLowerCase()
  const chosen = slots.find((slot) => slot.is_chosen)
  const taken = new Set<number>()
  const take = (tool: number, slot: number) => {
    taken.add(slot)
    return { tool, slot }
  }
  const slotOf = ({ tool, material }: PlateFile['tools'][number]): number => {
    const fitting = slots.filter((slot) => hasMaterial(slot, material))
    const free = fitting.filter(({ slot }) => !taken.has(slot))
    return (free.find(({ slot }) => slot === tool + 1) ?? free[0] ?? fitting[0])?.slot ?? tool + 1
  }
  const firstSlot = take(first.tool, chosen?.slot ?? slotOf(first))
  return [firstSlot, ...others.map((each) => take(each.tool, slotOf(each)))]
}
