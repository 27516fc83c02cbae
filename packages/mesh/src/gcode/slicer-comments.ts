import { ThumbnailCollector } from './thumbnails.ts'
import { LINE_FEED, RETURN, SEMICOLON, SPACE } from '../char-codes.ts'

/** Maximum length of a line; the rest is ignored. Settings such as the start G-code may be long. */
export const MAX_LINE_BYTES = 64 * 1024
/** Maximum length of a value. The value `objects_info` of a full plate can be nearly as long. */
const MAX_VALUE_LENGTH = 64 * 1024
/** Maximum number of distinct objects that are counted. */
const MAX_OBJECTS = 10_000

/** Keys of settings and figures that are read, in lower case. All other comments are ignored. */
const KEYS = new Set([
  // PrusaSlicer, SuperSlicer, OrcaSlicer
  'printer_model',
  'printer_settings_id',
  'nozzle_diameter',
  'layer_height',
  'first_layer_height',
  'initial_layer_print_height',
  'bed_shape',
  'printable_area',
  'max_print_height',
  'printable_height',
  'filament_type',
  'filament_colour',
  'extruder_colour',
  'filament_density',
  'filament_diameter',
  'filament used [g]',
  'filament used [mm]',
  'filament used [cm3]',
  'total filament used [g]',
  'estimated printing time (normal mode)',
  'estimated printing time',
  'total layers count',
  'total layer number',
  'objects_info',
  'max_layer_z',
  'prusaslicer_config',
  'superslicer_config',
  'producer',
  // Bambu Studio, and OrcaSlicer for its printers
  'model printing time',
  'total estimated time',
  'total filament length [mm]',
  'total filament weight [g]',
  'model label id',
  'filament',
  'max_z_height',
  // Cura
  'flavor',
  'time',
  'filament used',
  'filament weight',
  'layer height',
  'layer_count',
  'target_machine.name',
  'generator.name',
  'generator.version',
  'print.time',
  'extruder_train.0.nozzle.diameter',
  'extruder_train.0.material.volume_used',
  'extruder_train.1.material.volume_used',
  // Simplify3D
  'profilename',
  'extruderdiameter',
  'layerheight',
  'printmaterial',
  'strokexoverride',
  'strokeyoverride',
  'strokezoverride',
  'filamentdiameters',
  'filamentdensities',
  'build time',
  'filament length',
  'plastic weight',
])

const GENERATED = /^(?:g-code )?(?:generated|sliced) (?:by|with|using) (.{1,100})$/i
const BAMBU_HEADER = /^(BambuStudio|OrcaSlicer) ([\d.]{1,20})/
/** Matches Simplify3D's `; layer 12, Z = 2.4`. */
const SIMPLIFY_LAYER = /^layer (\d{1,6}),? z = /i
const PRUSA_OBJECT = /^printing object (.{1,300})$/
const COMMAND = /^(?:N\d+ ?)?[GMT]\d/
const KLIPPER_OBJECT = /^EXCLUDE_OBJECT_DEFINE NAME=(\S{1,300})/

/**
 * Collects the values in the comments of G-code, which is pushed in chunks. Only known keys are kept, so the
 * memory does not grow with the file. If a key occurs several times, its first value counts.
 */
export class SlicerComments {
  readonly values = new Map<string, string>()
  readonly objects = new Set<string>()
  readonly thumbnails = new ThumbnailCollector()
  slicer: string | null = null
  /** Number of layers that have begun so far. */
  layerChanges = 0
  lastZ: number | null = null
  hasCommands = false
  hasConfigEnd = false
  isExecutableOpen = false
  #carry = new Uint8Array(0)

  push(chunk: Uint8Array): void {
    let bytes = chunk
    if (this.#carry.length > 0) {
      bytes = new Uint8Array(this.#carry.length + chunk.length)
      bytes.set(this.#carry)
      bytes.set(chunk, this.#carry.length)
    }
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#line(bytes, start, end)
      start = end + 1
    }
    this.#carry = bytes.slice(start, start + MAX_LINE_BYTES)
  }

  /** Reads the rest as the last line, for a file that does not end with a line break. */
  finish(): void {
    this.#line(this.#carry, 0, this.#carry.length)
    this.#carry = new Uint8Array(0)
  }

  /** Adds a setting that does not come from a comment, for example from a metadata block. */
  set(key: string, value: string): void {
    const known = key.trim().toLowerCase()
    if (!KEYS.has(known) || this.values.has(known) || value.length > MAX_VALUE_LENGTH) return
    this.values.set(known, value.trim())
  }

  #line(bytes: Uint8Array, from: number, to: number): void {
    let [start, end] = [from, Math.min(to, from + MAX_LINE_BYTES)]
    while (start < end && bytes[start]! <= SPACE) start++
    while (end > start && (bytes[end - 1] === RETURN || bytes[end - 1] === SPACE)) end--
    if (start === end) return
    if (bytes[start] !== SEMICOLON) return this.#command(bytes, start, end)
    while (start < end && (bytes[start] === SEMICOLON || bytes[start] === SPACE)) start++
    if (start < end) this.#comment(decode(bytes, start, end))
  }

  #command(bytes: Uint8Array, start: number, end: number): void {
    if (this.hasCommands && bytes[start] !== 0x45) return
    const text = decode(bytes, start, Math.min(end, start + 400))
    if (!this.hasCommands && COMMAND.test(text)) this.hasCommands = true
    const [, object] = KLIPPER_OBJECT.exec(text) ?? []
    if (object !== undefined) this.#object(object)
  }

  #object(name: string): void {
    if (this.objects.size < MAX_OBJECTS) this.objects.add(name)
  }

  #comment(text: string): void {
    if (this.thumbnails.take(text)) return
    if (text === 'LAYER_CHANGE' || text === 'CHANGE_LAYER' || text.startsWith('LAYER:')) this.layerChanges++
    else if (text.startsWith('Z:')) this.lastZ = Number(text.slice(2))
    else if (text.startsWith('MESH:')) {
      if (text !== 'MESH:NONMESH') this.#object(text)
    } else if (text.startsWith('printing object ')) this.#object(PRUSA_OBJECT.exec(text)?.[1] ?? '')
    else if (text === 'EXECUTABLE_BLOCK_START') this.isExecutableOpen = true
    else if (text === 'EXECUTABLE_BLOCK_END') this.isExecutableOpen = false
    else if (SIMPLIFY_LAYER.test(text)) this.layerChanges++
    else this.#setting(text)
  }

  #setting(text: string): void {
    const [, by] = GENERATED.exec(text) ?? []
    if (by !== undefined) this.slicer ??= programName(by)
    const [, program, version] = BAMBU_HEADER.exec(text) ?? []
    if (program !== undefined)
      this.slicer ??= `${program === 'BambuStudio' ? 'Bambu Studio' : program} ${version}`
    const at = separatorOf(text)
    if (at < 1) return
    const key = text.slice(0, at).trim()
    const value = text.slice(at + 1)
    if (/^(?:prusa|super)slicer_config$/.test(key) && value.trim() === 'end') this.hasConfigEnd = true
    this.set(key, value)
  }
}

/**
 * Returns the position of the first separator in `key = value`, `key: value`, or `key,value` (Simplify3D).
 */
function separatorOf(text: string): number {
  const limit = Math.min(text.length, 60)
  for (let at = 0; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x3d || code === 0x3a || code === 0x2c) return at
  }
  return -1
}

/**
 * Shortens the name of a program: `PrusaSlicer 2.7.1+win64 on 2024-01-02 at …` becomes `PrusaSlicer 2.7.1`.
 */
function programName(by: string): string {
  const name = by
    .replace(/ on \d.*$/, '')
    .replace(/\(R\)/, '')
    .replace(/^Cura_SteamEngine/, 'Cura')
    .replace(/ Version /, ' ')
    .replace(/\+\S*/, '')
  return name.replace(/\s+/g, ' ').trim().slice(0, 60)
}

const utf8 = new TextDecoder()
const decode = (bytes: Uint8Array, start: number, end: number): string =>
  utf8.decode(bytes.subarray(start, end))
