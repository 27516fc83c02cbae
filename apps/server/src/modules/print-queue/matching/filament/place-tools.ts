import type { PrinterKind } from '@pegasus/contracts/print-queue/printers'
import { colorDistance } from '../../../filament/index.ts'

/** A tool of a printer, and the filament that it uses for a plate. Tools are counted from 0. */
export interface PlateTool {
  tool: number
  material: string | null
  /** The color as `#rrggbb`. */
  color_hex: string | null
  grams: number | null
}

/** A loaded spool. Slots are counted from 1. */
export interface SpoolInSlot {
  slot: number
  material: string | null
  /** The color as `rrggbb`. */
  color_hex: string | null
  remaining_grams: number | null
}

/** A tool, and the spool from which it prints. The spool is null if the slot is empty. */
export interface PlacedTool<Spool> {
  tool: PlateTool
  spool: Spool | null
  /** Why the spool does not fit. Null if it fits. */
  lacks: 'material' | 'color' | 'grams' | null
}

export const isSame = (a: string | null, b: string | null): boolean =>
  (a ?? '').trim().toLowerCase() === (b ?? '').trim().toLowerCase()

/** Returns whether a spool with this material can feed the tool. A tool without a material accepts any spool. */
const hasToolMaterial = ({ material }: PlateTool, other: string | null): boolean =>
  material === null || isSame(material, other)

/** Returns whether a spool can feed a tool. The color matters only if `isColored` is set. */
export const fitsTool = (
  tool: PlateTool,
  spool: Pick<SpoolInSlot, 'material' | 'color_hex'>,
  isColored: boolean,
): boolean => hasToolMaterial(tool, spool.material) && (!isColored || hasToolColor(tool, spool))

/** Colors with a smaller distance count as equal, because slicers and manufacturers name the same color differently. */
const SAME_COLOR = 28

/** Returns the tools that a plate uses, sorted by number. Tools without filament are left out. */
export const usedTools = <Tool extends PlateTool>(tools: readonly Tool[]): readonly Tool[] =>
  tools.length < 2 ? tools : tools.filter(({ grams }) => grams !== 0).toSorted((a, b) => a.tool - b.tool)

/**
 * Returns the tool that prints with the job's filament: the first one with its material. If no material is given, this
 * is the first tool. Returns null if all tools need other materials.
 */
export const findMainTool = <Tool extends PlateTool>(
  tools: readonly Tool[],
  material: string | null,
): Tool | null => tools.find((tool) => material === null || hasToolMaterial(tool, material)) ?? null

/**
 * Returns whether each tool of a printer always prints from the slot with its own number: tool 0 from slot 1, and so
 * on. On a Bambu printer, the server can choose the slots. On the printers of people and agents, they choose the slots.
 */
export const hasFixedSlots = (kind: PrinterKind, slotCount: number): boolean =>
  slotCount > 1 && (kind === 'moonraker' || kind === 'octoprint' || kind === 'prusalink')

/** The slots of a printer, and the spool for the job's own filament. */
export interface ToolPlacement<Spool> {
  kind: PrinterKind
  slotCount: number
  loaded: readonly Spool[]
  mainTool: PlateTool | null
  mainSpool: Spool | null
  /** Whether the job may be printed in any color. */
  isAnyColor: boolean
}

/**
 * Returns whether the colors of tools matter. They do not if all tools have the same color, because then nobody has set
 * the colors in the slicer.
 */
export const areColored = (tools: readonly PlateTool[], isAnyColor: boolean): boolean =>
  !isAnyColor && tools.some(({ color_hex: hex }) => hex !== tools[0]?.color_hex)

/**
 * Assigns one option to each tool, so that as many tools as possible get an option, and no two tools the same one.
 * Tools prefer the first of their options, but take a later one if another tool needs the first. Returns the options by
 * tool.
 */
export function pairTools<Tool, Option>(
  tools: readonly Tool[],
  optionsOf: (tool: Tool) => readonly Option[],
): Map<Tool, Option> {
  const paired = new Map<Tool, Option>()
  const owners = new Map<Option, Tool>()
  const give = (tool: Tool, option: Option) => {
    paired.set(tool, option)
    owners.set(option, tool)
    return true
  }
  const pair = (tool: Tool, tried: Set<Option>): boolean => {
    const options = optionsOf(tool).filter((option) => !tried.has(option))
    const free = options.find((option) => !owners.has(option))
    if (free !== undefined) return give(tool, free)
    return options.some((option) => {
      const owner = owners.get(option)
      if (owner === undefined || tried.has(option)) return false
      tried.add(option)
      return pair(owner, tried) && give(tool, option)
    })
  }
  for (const tool of tools) pair(tool, new Set())
  return paired
}

/**
 * Finds the spool from which each used tool prints. The spool of the main tool is given. A printer with one slot feeds
 * all tools from it. On a printer with fixed slots, each tool prints from the slot with its own number. On other
 * printers, a tool prefers that slot, but uses another one if only its spool fits, or if another tool needs the slot. A
 * tool without a fitting spool gets a spool that no other tool needs, with the reason in `lacks`.
 */
export function placeTools<Spool extends SpoolInSlot>(
  tools: readonly PlateTool[],
  at: ToolPlacement<Spool>,
): PlacedTool<Spool>[] {
  const { mainTool, mainSpool, loaded } = at
  const isFixed = hasFixedSlots(at.kind, at.slotCount)
  const isOneSlot = at.slotCount < 2
  const isColored = areColored(tools, at.isAnyColor)
  const usedSpools = new Set<Spool>(mainTool && mainSpool ? [mainSpool] : [])
  const isFree = (spool: Spool) => isOneSlot || !usedSpools.has(spool)
  const offeredTo = (tool: PlateTool): Spool[] =>
    loaded
      .filter((spool) => (isFixed ? spool.slot === tool.tool + 1 : isFree(spool)))
      .toSorted((a, b) => Number(b.slot === tool.tool + 1) - Number(a.slot === tool.tool + 1))
  const ofMaterial = (tool: PlateTool, spools: Spool[]) =>
    spools.filter(({ material }) => hasToolMaterial(tool, material))
  const ofColor = (tool: PlateTool, spools: Spool[]) =>
    isColored ? spools.filter((spool) => hasToolColor(tool, spool)) : spools
  const fullFor = (tool: PlateTool): Spool[] =>
    ofColor(tool, ofMaterial(tool, offeredTo(tool))).filter(
      ({ remaining_grams: left }) => isOneSlot || tool.grams === null || left === null || left >= tool.grams,
    )
  const others = tools.filter((tool) => tool !== mainTool)
  const full = isOneSlot
    ? new Map(others.flatMap((tool) => fullFor(tool).map((spool) => [tool, spool] as const)))
    : pairTools(others, fullFor)
  for (const spool of full.values()) usedSpools.add(spool)
  const placeLacking = (tool: PlateTool): PlacedTool<Spool> => {
    const offered = offeredTo(tool)
    // A tool without a material can print even if no spool is recorded.
    if (tool.material === null && offered.length === 0) return { tool, spool: null, lacks: null }
    const [first = null] = ofMaterial(tool, offered)
    const [colored = null] = ofColor(tool, ofMaterial(tool, offered))
    const spool = colored ?? first ?? offered[0] ?? null
    if (spool) usedSpools.add(spool)
    return { tool, spool, lacks: colored ? 'grams' : first ? 'color' : 'material' }
  }
  return tools.map((tool) => {
    if (tool === mainTool) return { tool, spool: mainSpool, lacks: null }
    const spool = full.get(tool)
    return spool ? { tool, spool, lacks: null } : placeLacking(tool)
  })
}

/** Returns whether a spool has the color of a tool. Unknown colors fit. */
const hasToolColor = (
  { color_hex: wanted }: PlateTool,
  { color_hex: hex }: Pick<SpoolInSlot, 'color_hex'>,
): boolean =>
  wanted === null || hex === null || colorDistance(wanted.replace('#', ''), hex.replace('#', '')) < SAME_COLOR
