import type { SliceFormat } from '@pegasus/contracts/slices/slices'
import type { Toolpath } from '@pegasus/mesh/gcode/toolpath'

/** Messages between the page and the worker that reads G-code. */
export interface ToolpathRequest {
  bytes: Uint8Array<ArrayBuffer>
  format: SliceFormat
  plate: number
}

/** A toolpath ready to draw. */
export interface ReadyToolpath extends Toolpath {
  /**
   * Brightness of both ends of each line. It depends on the direction of the line, so that walls can be distinguished.
   */
  shades: Uint8Array<ArrayBuffer>
  min: [number, number, number]
  max: [number, number, number]
}

export type ToolpathAnswer = ({ ok: true } & ReadyToolpath) | { ok: false; reason: string }
