import { createCube } from '../samples/shapes.ts'
import { weldVertices } from '../src/topology/weld.ts'
import { buildZip, type PackedFile } from './zip-tools.ts'

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02'
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06'
const MODEL_TYPE = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'
export const THUMBNAIL_TYPE =
  'http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail'

export const relationship = (target: string, type = MODEL_TYPE, more = '') =>
  `<Relationship Target="${target}" Id="r${target.length}${type.length}" Type="${type}" ${more}/>`

export const relationships = (inner: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`

/** Writes a mesh as XML. `positions` has nine floats per triangle. */
export function meshXml(positions: Float32Array = createCube(20)): string {
  const { ids, points } = weldVertices(positions)
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => {
    const [x, y, z] = points.subarray(3 * i, 3 * i + 3)
    return `<vertex x="${x}" y="${y}" z="${z}"/>`
  })
  const triangles = Array.from({ length: ids.length / 3 }, (_, i) => {
    return `<triangle v1="${ids[3 * i]}" v2="${ids[3 * i + 1]}" v3="${ids[3 * i + 2]}"/>`
  })
  return `<mesh><vertices>${vertices.join('\n')}</vertices><triangles>${triangles.join('\n')}</triangles></mesh>`
}

export const CUBE_OBJECT = `<object id="1" name="cube" type="model">${meshXml()}</object>`

type Model = { objects?: string; items?: string; attributes?: string; metadata?: string; before?: string }

/** Returns the XML of a model part. By default, it is a cube of 20 mm on the plate. */
export function modelXml(model: Model = {}): string {
  const head = `${model.before ?? ''}<model xmlns="${CORE}" xmlns:p="${PRODUCTION}" ${model.attributes ?? 'unit="millimeter"'}>`
  const resources = `<resources>${model.objects ?? CUBE_OBJECT}</resources>`
  return `<?xml version="1.0" encoding="UTF-8"?>${head}${model.metadata ?? ''}${resources}<build>${model.items ?? '<item objectid="1"/>'}</build></model>`
}

/**
 * Returns the files of a 3MF with this model. `more` adds files, or replaces files that have the same name.
 */
export function files3mf(model: Model | string = {}, more: PackedFile[] = []): PackedFile[] {
  const usual: PackedFile[] = [
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: '_rels/.rels', data: relationships(relationship('/3D/3dmodel.model')) },
    { name: '3D/3dmodel.model', data: typeof model === 'string' ? model : modelXml(model) },
  ]
  return [...usual.filter(({ name }) => !more.some((file) => file.name === name)), ...more]
}

export function build3mf(model: Model | string = {}, more: PackedFile[] = []): Uint8Array<ArrayBuffer> {
  return buildZip(files3mf(model, more))
}
