import { createToolpathReader, type Toolpath } from '@pegasus/mesh/gcode/toolpath'
import { gcodeChunks } from './gcode-chunks.ts'
import type { ReadyToolpath, ToolpathAnswer, ToolpathRequest } from './toolpath-message.ts'

/**
 * Maximum number of lines, to limit the memory of the graphics card. A line takes 24 bytes, and its shade 6
 * more.
 */
const MAX_LINES = 4_000_000

// TypeScript assumes the `postMessage` of a page, which takes a target origin. The `postMessage` of a worker
// takes a transfer list instead.
const answer = self.postMessage as (message: ToolpathAnswer, transfer?: Transferable[]) => void

self.onmessage = ({ data }: MessageEvent<ToolpathRequest>) => {
  read(data).then(
    (path) => answer({ ok: true, ...path }, [path.positions.buffer, path.shades.buffer]),
    (error: unknown) => answer({ ok: false, reason: error instanceof Error ? error.message : String(error) }),
  )
}

async function read({ bytes, format, plate }: ToolpathRequest): Promise<ReadyToolpath> {
  const reader = createToolpathReader(MAX_LINES)
  for await (const chunk of gcodeChunks(bytes, format, plate)) if (!reader.push(chunk)) break
  const path = reader.finish()
  if (path.layerEnds.length === 0) throw new Error('The file contains no extrusion that could be shown.')
  return { ...path, ...shadesOf(path) }
}

/**
 * Computes the shade of each line. Lines toward the light are bright and lines across it are dark, like the walls that
 * they form.
 */
function shadesOf({ positions }: Toolpath): Pick<ReadyToolpath, 'shades' | 'min' | 'max'> {
  const shades = new Uint8Array(positions.length)
  const min: [number, number, number] = [Infinity, Infinity, Infinity]
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const [from, to] = [positions[at + axis]!, positions[at + 3 + axis]!]
      min[axis] = Math.min(min[axis]!, from, to)
      max[axis] = Math.max(max[axis]!, from, to)
    }
    const dx = positions[at + 3]! - positions[at]!
    const dy = positions[at + 4]! - positions[at + 1]!
    const length = Math.hypot(dx, dy)
    const across = length === 0 ? 0 : Math.abs(dx * 0.5 - dy * 0.866) / length
    shades.fill(Math.round(255 * (1 - 0.5 * across)), at, at + 6)
  }
  return { shades, min, max }
}
