/** Formats of sliced files. The format is detected from the content, never from the name. */
export type SlicedFormat = 'gcode' | 'bgcode' | 'gcode.3mf'

/** The filament that one tool of the printer uses for a plate. `tool` counts from 0, as in G-code. */
export type SlicedTool = {
  tool: number
  material: string | null
  /** The color as `#rrggbb`. */
  colorHex: string | null
  grams: number | null
  metres: number | null
}

/**
 * A picture that the slicer embedded: either the unverified bytes of a PNG or JPG, or the decoded pixels of a
 * QOI (straight sRGB with alpha, rows from the top).
 */
export type EmbeddedPicture =
  | { kind: 'encoded'; bytes: Uint8Array }
  | { kind: 'pixels'; width: number; height: number; rgba: Uint8Array }

/** One plate as the slicer describes it. Lengths are in millimeters unless the name of the field says otherwise. */
export type SlicedPlate = {
  /** Number of the plate, counted from 1. */
  plate: number
  printerModel: string | null
  nozzleMm: number | null
  bedMm: [number, number, number | null] | null
  layerHeightMm: number | null
  layers: number | null
  tools: SlicedTool[]
  grams: number | null
  metres: number | null
  minutes: number | null
  /** Number of objects on the plate, or null if the file does not list them. */
  pieces: number | null
  /** Name and version of the program that sliced the file. */
  slicer: string | null
  /** The embedded pictures, largest first. */
  pictures: EmbeddedPicture[]
  /** Messages about missing or assumed values, for the person who uploaded the file. */
  notes: string[]
}

export type SlicedFile = { ok: true; format: SlicedFormat; plates: SlicedPlate[] }
