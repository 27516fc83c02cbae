import { explainNumberFault, parseNumber } from '../number-parser.ts'
import { EXPORT_AGAIN, RejectionError } from '../rejection-error.ts'
import { formatCount } from '../types.ts'
import { createXmlReader, type XmlAttributes, type XmlReader } from '../xml/xml-reader.ts'
import type { QualifiedName } from '../xml/xml-namespaces.ts'
import { decodeXmlText } from '../xml/xml-text.ts'
import { addTriangle, addVertex, countObject, countReference, type MeshStore } from './mesh-store.ts'
import { addMetadata, createTextCollector, type ModelMetadata, plainText } from './metadata.ts'
import { IDENTITY, readTransform, type Transform } from './transform.ts'

/** Millimeters in one unit of a 3MF. The default unit is `millimeter` (3MF core specification, chapter 3.4). */
const UNIT_MM: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
}

/**
 * Returns the size of a unit in millimeters. Throws RejectionError for an unknown unit, because a wrong guess
 * would make the part 25 times too large.
 */
function unitInMm(word: string): number {
  const unit = Object.hasOwn(UNIT_MM, word) ? UNIT_MM[word] : undefined
  if (unit !== undefined) return unit
  throw new RejectionError(
    'bad-syntax',
    'The file uses a unit that 3MF does not have. Export the model again, if possible in millimeters.',
  )
}

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02'
const PATH = '{http://schemas.microsoft.com/3dmanufacturing/production/2015/06}path'

/**
 * A placement of an object in the build or in another object. `path` is the part that contains the object, or null for
 * the same part.
 */
export type ObjectReference = { path: string | null; objectId: string; transform: Transform }

/**
 * An object of a model part. Its corners and triangles are ranges in the arrays of the mesh store. The ranges count
 * numbers: three for each corner, and three for each triangle.
 */
export type ParsedObject = {
  name: string
  type: string
  vertexStart: number
  vertexEnd: number
  indexStart: number
  indexEnd: number
  components: ObjectReference[]
}

/** A parsed model part. References to other parts are not resolved yet. */
export type ParsedModelPart = {
  unitMm: number
  objects: Map<string, ParsedObject>
  items: ObjectReference[]
  metadata: ModelMetadata
  /** Namespaces that a reader must support. */
  required: string[]
}

/** The elements that are read inside each parent element. All other elements are skipped with their contents. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '': ['model'],
  model: ['metadata', 'resources', 'build'],
  resources: ['object'],
  object: ['mesh', 'components'],
  mesh: ['vertices', 'triangles'],
  vertices: ['vertex'],
  triangles: ['triangle'],
  components: ['component'],
  build: ['item'],
}

/**
 * Creates a reader that parses the XML of one model part. Its `part` is complete after `finish`. Throws RejectionError.
 */
export function createPartReader(store: MeshStore): XmlReader & { part: ParsedModelPart } {
  const part: ParsedModelPart = { unitMm: 1, objects: new Map(), items: [], metadata: {}, required: [] }
  const path: string[] = ['']
  const text = createTextCollector()
  let passedOver = 0
  let object: ParsedObject | null = null
  let metadataName = ''

  function open(name: QualifiedName, attributes: XmlAttributes) {
    const inside = path.at(-1)!
    const isKnown =
      passedOver === 0 && (name.space === CORE || name.space === '') && CHILDREN[inside]?.includes(name.local)
    if (!isKnown) {
      if (inside === '') throw notModel()
      passedOver++
      return
    }
    path.push(name.local)
    begin(name.local, attributes)
  }

  function close() {
    if (passedOver > 0) {
      passedOver--
      return
    }
    const name = path.pop()
    if (name === 'object') endObject()
    else if (name === 'metadata') addMetadata(part.metadata, metadataName, text.take())
  }

  function begin(name: string, attributes: XmlAttributes) {
    if (name === 'vertex') readVertex(attributes)
    else if (name === 'triangle') readTriangle(attributes)
    else if (name === 'object') beginObject(attributes)
    else if (name === 'component') object!.components.push(readPlacing(attributes))
    else if (name === 'item') part.items.push(readPlacing(attributes))
    else if (name === 'metadata') metadataName = textOf(attributes, 'name') ?? ''
    else if (name === 'model') beginModel(attributes)
  }

  function beginModel(attributes: XmlAttributes) {
    part.unitMm = unitInMm(textOf(attributes, 'unit') ?? 'millimeter')
    part.required = (textOf(attributes, 'requiredextensions') ?? '').split(/\s+/).filter(Boolean).slice(0, 20)
  }

  function beginObject(attributes: XmlAttributes) {
    const id = textOf(attributes, 'id')
    if (!id || part.objects.has(id)) {
      throw new RejectionError(
        'bad-syntax',
        `The file contains an object ${id ? 'twice' : 'without a number'}. ${EXPORT_AGAIN}`,
      )
    }
    countObject(store)
    object = {
      name: plainText(textOf(attributes, 'name') ?? '', 200),
      type: textOf(attributes, 'type') ?? 'model',
      vertexStart: store.vertices.length,
      vertexEnd: store.vertices.length,
      indexStart: store.indices.length,
      indexEnd: store.indices.length,
      components: [],
    }
    part.objects.set(id, object)
  }

  /**
   * Checks that the triangles use only corners of their own object. This happens at the end of the object,
   * when the number of corners is known.
   */
  function endObject() {
    const { vertexStart, indexStart } = object!
    object!.vertexEnd = store.vertices.length
    object!.indexEnd = store.indices.length
    const count = (store.vertices.length - vertexStart) / 3
    const { values } = store.indices
    for (let at = indexStart; at < store.indices.length; at++) {
      if (values[at]! < count) continue
      const triangle = formatCount(Math.floor((at - indexStart) / 3) + 1)
      const problem = `uses corner ${formatCount(values[at]!)}, but there are only ${formatCount(count)}`
      throw new RejectionError('bad-syntax', `Triangle ${triangle} of an object ${problem}. ${EXPORT_AGAIN}`)
    }
    object = null
  }

  function readVertex(attributes: XmlAttributes) {
    let x = Number.NaN
    let y = Number.NaN
    let z = Number.NaN
    for (let i = 0; i < attributes.count; i++) {
      const name = attributes.name(i)
      if (name === 'x') x = numberOf(attributes, i)
      else if (name === 'y') y = numberOf(attributes, i)
      else if (name === 'z') z = numberOf(attributes, i)
    }
    if (Number.isNaN(x + y + z))
      throw new RejectionError('bad-syntax', `A corner needs three numbers. ${EXPORT_AGAIN}`)
    addVertex(store, x, y, z)
  }

  function readTriangle(attributes: XmlAttributes) {
    let a = -1
    let b = -1
    let c = -1
    for (let i = 0; i < attributes.count; i++) {
      const name = attributes.name(i)
      if (name === 'v1') a = indexOf(attributes, i)
      else if (name === 'v2') b = indexOf(attributes, i)
      else if (name === 'v3') c = indexOf(attributes, i)
    }
    if (a < 0 || b < 0 || c < 0)
      throw new RejectionError('bad-syntax', `A triangle needs three corners. ${EXPORT_AGAIN}`)
    addTriangle(store, a, b, c)
  }

  function readPlacing(attributes: XmlAttributes): ObjectReference {
    countReference(store)
    const objectId = textOf(attributes, 'objectid')
    if (!objectId)
      throw new RejectionError('bad-syntax', `The file places an object without naming it. ${EXPORT_AGAIN}`)
    const transform = textOf(attributes, 'transform')
    return {
      path: textOf(attributes, PATH) ?? null,
      objectId,
      transform: transform === undefined ? IDENTITY : readTransform(transform, part.unitMm),
    }
  }

  const reader = createXmlReader({
    open,
    close,
    text(bytes, start, end, isLiteral) {
      if (passedOver === 0 && path.at(-1) === 'metadata') text.add(bytes, start, end, isLiteral)
    },
  })
  return { ...reader, part }
}

function notModel(): RejectionError {
  return new RejectionError(
    'bad-syntax',
    `A part of the file should be a 3MF model, but is not. ${EXPORT_AGAIN}`,
  )
}

function textOf(attributes: XmlAttributes, name: string): string | undefined {
  for (let i = 0; i < attributes.count; i++) {
    if (attributes.name(i) === name) {
      return decodeXmlText(attributes.bytes.subarray(attributes.start(i), attributes.end(i)))
    }
  }
  return undefined
}

function numberOf(attributes: XmlAttributes, index: number): number {
  const { bytes } = attributes
  let start = attributes.start(index)
  let end = attributes.end(index)
  while (start < end && bytes[start]! <= 0x20) start++
  while (end > start && bytes[end - 1]! <= 0x20) end--
  const value = Math.fround(parseNumber(bytes, start, end))
  if (value - value === 0) return value
  const fault = explainNumberFault(bytes, start, end)
  if (fault === 'decimal-comma') {
    throw new RejectionError(
      fault,
      `The file writes numbers with a decimal comma. ${EXPORT_AGAIN.replace('.', ' with decimal points.')}`,
    )
  }
  if (fault === 'bad-syntax')
    throw new RejectionError(fault, `A corner of the model is not a number. ${EXPORT_AGAIN}`)
  const remedy = 'Repair the model in the program it comes from and export it again.'
  throw new RejectionError(fault, `A corner of the model is not a finite number. ${remedy}`)
}

/** Parses an integer below 2^32 − 1. Returns −1 for anything else. */
function indexOf(attributes: XmlAttributes, index: number): number {
  const { bytes } = attributes
  const end = attributes.end(index)
  let value = 0
  let at = attributes.start(index)
  if (at === end || end - at > 10) return -1
  for (; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value < 0xffffffff ? value : -1
}
