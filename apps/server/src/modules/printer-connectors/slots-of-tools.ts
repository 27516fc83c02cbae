import { findMainTool, placeTools, usedTools } from '../print-queue/index.ts'
import type { PrintOrder } from './connector.ts'
import type { PlateFile } from './dispatches.queries.ts'

/**
 * Returns the slot from which each tool of a plate prints, or null for a printer with one slot. The tool whose material
 * matches the chosen spool prints from that spool. `placeTools` finds the slots of all other tools.
 */
export function slotsOfTools({
  tools,
  slots,
  is_any_color: isAnyColor,
}: Pick<PlateFile, 'tools' | 'slots' | 'is_any_color'>): PrintOrder['slots'] {
  if (slots.length < 2) return null
  const used = usedTools(tools)
  const mainSpool = slots.find((slot) => slot.is_chosen) ?? null
  const mainTool = mainSpool && (findMainTool(used, mainSpool.material) ?? used[0] ?? null)
  const placement = {
    kind: 'bambu',
    slotCount: slots.length,
    loaded: slots,
    mainTool,
    mainSpool,
    isAnyColor,
  } as const
  return placeTools(used, placement).map(({ tool, spool }) => ({
    tool: tool.tool,
    slot: spool?.slot ?? tool.tool + 1,
  }))
}
