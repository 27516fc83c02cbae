import { RejectionError } from '../rejection-error.ts'
import { createXmlReader, type XmlAttributes } from '../xml/xml-reader.ts'
import { decodeXmlText } from '../xml/xml-text.ts'

/** A plate in `Metadata/slice_info.config`: its `metadata` by key, its filaments and its objects. */
export type SliceInfoPlate = {
  metadata: Map<string, string>
  filaments: Map<string, string>[]
  /** Number of objects that will be printed. */
  objects: number
  /** The names of these objects. Copies of an object have its name. */
  parts: Set<string>
}

const MAX_PLATES = 1000
const MAX_FILAMENTS = 64

/**
 * Reads the plates of a sliced 3MF. The result is keyed by their index, counted from 1. Throws RejectionError
 * for XML that is not well-formed.
 */
export function readSliceInfo(bytes: Uint8Array): Map<number, SliceInfoPlate> {
  const plates: SliceInfoPlate[] = []
  const reader = createXmlReader({
    open(name, attributes) {
      if (name.local === 'plate') {
        if (plates.length === MAX_PLATES)
          throw new RejectionError(
            'too-large',
            'The file has more than 1000 plates. Export fewer plates at once.',
          )
        plates.push({ metadata: new Map(), filaments: [], objects: 0, parts: new Set() })
        return
      }
      const plate = plates.at(-1)
      if (!plate) return
      const values = valuesOf(attributes)
      if (name.local === 'metadata') plate.metadata.set(values.get('key') ?? '', values.get('value') ?? '')
      if (name.local === 'filament' && plate.filaments.length < MAX_FILAMENTS) plate.filaments.push(values)
      if (name.local === 'object' && values.get('skipped') !== 'true') {
        plate.objects++
        plate.parts.add(values.get('name') ?? '')
      }
    },
    close() {},
    text() {},
  })
  reader.push(bytes)
  reader.finish()
  return new Map(plates.map((plate, at) => [Number(plate.metadata.get('index')) || at + 1, plate]))
}

function valuesOf(attributes: XmlAttributes): Map<string, string> {
  const values = new Map<string, string>()
  for (let i = 0; i < attributes.count; i++) {
    const value = attributes.bytes.subarray(attributes.start(i), attributes.end(i))
    values.set(attributes.name(i), decodeXmlText(value))
  }
  return values
}
