/** Formats of sliced files. The format is detected from the content, never from the name. */
export type SlicedFormat = 'gcode' | 'bgcode' | 'gcode.3mf'

/** Filament that one tool of the printer uses for a plate. `tool` counts from 0, as in G-code. */
export type SlicedTool = {
  tool: number
  material: string | null
  /** `#rrggbb`. */
  colorHex: string | null
  grams: number | null
  metres: number | null
}

/**
 * A picture that the slicer embedded. It is either the unverified bytes of a PNG or JPG, or the pixels of a QOI
 * (straight sRGB with alpha, rows from the top).
 */
export type EmbeddedPicture =
  | { kind: 'encoded'; bytes: Uint8Array }
  | { kind: 'pixels'; width: number; height: number; rgba: Uint8Array }

/** One plate as the slicer describes it. Lengths are in millimeters unless the name of the field says otherwise. */
export type SlicedPlate = {
  /** Number of the plate, from 1. */
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
  /** Number of objects on the plate; null if the file does not list them. */
  pieces: number | null
  /** Name and version of the program that sliced it. */
  slicer: string | null
  /** The embedded pictures, largest first. */
  pictures: EmbeddedPicture[]
  /** Sentences about what is missing or was assumed, for the person who uploaded the file. */
  notes: string[]
}

export type SlicedFile = { ok: true; format: SlicedFormat; plates: SlicedPlate[] }
